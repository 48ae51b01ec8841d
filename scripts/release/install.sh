#!/bin/sh
# Installs Docent: finds the archive for this machine, checks it, and copies the program.
#
#   sh install.sh                          from where the release is published
#   sh install.sh --from /media/disk       from a folder, or from a mirror's address, for a closed network
#   sh install.sh --key docent.pub         checks the signature too, with the key of whoever releases (needs openssl)
#   sh install.sh --to ~/.local/bin        where the program goes; /usr/local/bin, or ~/.local/bin without root
#   sh install.sh --platform linux-x64     in the place of what this machine is
set -eu

version='@VERSION@'
from='@URL@'
key=''
to=''
platform=''

fail() {
  echo "install.sh: $1" >&2
  exit 1
}

while [ $# -gt 0 ]; do
  case "$1" in
    --from | --to | --key | --platform)
      [ $# -ge 2 ] || fail "$1 needs a value."
      case "$1" in
        --from) from=${2%/} ;;
        --to) to=${2%/} ;;
        --key) key=$2 ;;
        --platform) platform=$2 ;;
      esac
      shift 2
      ;;
    -h | --help)
      sed -n '2,9s/^# \{0,1\}//p' "$0"
      exit 0
      ;;
    *) fail "$1 is not known. --help lists the options." ;;
  esac
done

[ -n "$from" ] || fail "Name the folder or the address of the release: --from /media/disk"

find_platform() {
  case "$(uname -s)" in
    Linux) system=linux ;;
    Darwin) system=macos ;;
    *) fail "There is no archive for $(uname -s) that this script installs." ;;
  esac
  case "$(uname -m)" in
    x86_64 | amd64) machine=x64 ;;
    aarch64 | arm64) machine=arm64 ;;
    *) fail "There is no archive for $(uname -m)." ;;
  esac
  platform=$system-$machine
  [ "$system" = linux ] || return 0
  if ls /lib/ld-musl-* >/dev/null 2>&1 && ! ls /lib64/ld-linux-* /lib/ld-linux-* >/dev/null 2>&1; then
    platform=$platform-musl
  elif [ "$machine" = x64 ] && ! grep -qw avx2 /proc/cpuinfo 2>/dev/null; then
    platform=$platform-baseline
  fi
}

get() {
  case "$from" in
    http://* | https://*)
      if command -v curl >/dev/null; then
        curl --fail --silent --show-error --location --output "$work/$1" "$from/$1"
      elif command -v wget >/dev/null; then
        wget --quiet --output-document="$work/$1" "$from/$1"
      else
        fail "Neither curl nor wget is here."
      fi
      ;;
    *) cp "$from/$1" "$work/$1" ;;
  esac || fail "$from/$1 cannot be had."
}

sum_of() {
  if command -v sha256sum >/dev/null; then
    sha256sum "$1"
  elif command -v shasum >/dev/null; then
    shasum -a 256 "$1"
  else
    fail "Neither sha256sum nor shasum is here: what was fetched cannot be checked."
  fi | cut -d ' ' -f 1
}

listed_sum() {
  sed -n "s/^\([0-9a-f]\{64\}\)  $1\$/\1/p" "$work/SHA256SUMS"
}

check_signature() {
  if [ -z "$key" ]; then
    echo "The signature was not checked: --key names no key. The checksum alone shows that nothing broke on the way."
    return 0
  fi
  [ -f "$key" ] || fail "There is no file $key."
  command -v openssl >/dev/null || fail "openssl is not here: the signature cannot be checked."
  get SHA256SUMS.sig
  openssl pkeyutl -verify -pubin -inkey "$key" -rawin -in "$work/SHA256SUMS" -sigfile "$work/SHA256SUMS.sig" \
    >/dev/null 2>&1 || fail "SHA256SUMS is not signed with the key in $key. Nothing was installed."
  echo "The signature is good."
}

[ -n "$platform" ] || find_platform
if [ -z "$to" ]; then
  if [ "$(id -u)" = 0 ]; then to=/usr/local/bin; else to=$HOME/.local/bin; fi
fi
name=docent-$version-$platform
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

get SHA256SUMS
check_signature
archive=$name.tar.xz
expected=$(listed_sum "$archive")
# The smaller one, where xz is here. BusyBox's says no version, and does not read every archive.
if [ -z "$expected" ] || ! xz --version >/dev/null 2>&1 || ! (get "$archive") 2>/dev/null; then
  archive=$name.tar.gz
  expected=$(listed_sum "$archive")
  [ -n "$expected" ] || fail "SHA256SUMS has no $archive. Nothing was installed."
  get "$archive"
fi
[ "$(sum_of "$work/$archive")" = "$expected" ] ||
  fail "$archive is not what SHA256SUMS says. Nothing was installed."

case "$archive" in
  *.xz) xz --decompress --stdout "$work/$archive" | tar -xf - -C "$work" ;;
  *) tar -xzf "$work/$archive" -C "$work" ;;
esac
mkdir -p "$to"
# By way of another name: a program that runs cannot be written over.
cp "$work/$name/docent" "$to/.docent.new"
chmod 755 "$to/.docent.new"
mv "$to/.docent.new" "$to/docent"
echo "Installed $to/docent ($version, $platform)."
echo "To see whether it works on this machine: $to/docent doctor --self-test"
