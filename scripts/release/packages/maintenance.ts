/** The parts of a package's scripts that Debian's and RPM's have in common. */

export const ADD_ACCOUNT = `if ! getent passwd docent >/dev/null; then
  useradd --system --user-group --home-dir /var/lib/docent --no-create-home --shell /usr/sbin/nologin docent
fi
`;

/** Conversations are in it: it is for the account alone. */
export const ADD_DATA = `install -d -o docent -g docent -m 0700 /var/lib/docent
`;

export const RELOAD = `if [ -d /run/systemd/system ]; then
  systemctl daemon-reload >/dev/null 2>&1 || true
fi
`;

export const SAY_HOW_TO_START = `echo "Docent is installed. Nothing was started. Settings: /etc/docent/docent.env. To start it:"
echo "  systemctl enable --now docent"
`;

export const RESTART = `if [ -d /run/systemd/system ] && systemctl is-active --quiet docent; then
  echo "Restarting Docent, which was running."
  systemctl restart docent || true
fi
`;

export const STOP = `if [ -d /run/systemd/system ]; then
  systemctl disable --now docent >/dev/null 2>&1 || true
fi
`;
