import type { Released } from "../proofs.ts";
import type { ReleaseFacts } from "../release-facts.ts";

/** Where an archive of a platform is, and its hash. */
export type FindArchive = (platform: string) => { url: string; sha256: string };

/** The smallest first. Homebrew and Nix unpack all of them by themselves; those of Windows find only a ZIP. */
const ENDINGS = ["tar.xz", "tar.gz", "zip"];

/** Finds for a platform the smallest archive that the release has. Raises an error where it has none. */
export function findArchive(
  released: readonly Released[],
  { version, url }: { version: string; url: string },
): FindArchive {
  return (platform) => {
    for (const ending of ENDINGS) {
      const found = released.find(({ name }) => name === `docent-${version}-${platform}.${ending}`);
      if (found !== undefined) return { url: `${url}/${found.name}`, sha256: found.sha256 };
    }
    throw new Error(`there is no archive for ${platform}`);
  };
}

/** A formula of Homebrew, for macOS and Linux. */
export function homebrewFormula({ version, license }: ReleaseFacts, find: FindArchive, home: string): string {
  const at = (platform: string) => {
    const { url, sha256 } = find(platform);
    return `url "${url}"\n      sha256 "${sha256}"`;
  };
  return `class Docent < Formula
  desc "Documentation assistant that answers from your docs, with citations"
  homepage "${home}"
  version "${version}"
  license "${license}"

  on_macos do
    on_arm do
      ${at("macos-arm64")}
    end
    on_intel do
      ${at("macos-x64")}
    end
  end

  on_linux do
    on_arm do
      ${at("linux-arm64")}
    end
    on_intel do
      ${at("linux-x64-baseline")}
    end
  end

  def install
    bin.install "docent"
    man1.install "docent.1"
    bash_completion.install "completions/docent.bash" => "docent"
    zsh_completion.install "completions/_docent"
    fish_completion.install "completions/docent.fish"
  end

  service do
    run [opt_bin/"docent", "serve"]
    environment_variables DOCENT_DATA: var/"docent"
    keep_alive successful_exit: false
    log_path var/"log/docent.log"
    error_log_path var/"log/docent.log"
  end

  test do
    system bin/"docent", "doctor", "--self-test"
  end
end
`;
}

/** A manifest of Scoop, for Windows. */
export function scoopManifest(
  { version, license, description }: ReleaseFacts,
  find: FindArchive,
  home: string,
): string {
  const { url, sha256 } = find("windows-x64");
  const manifest = {
    version,
    description,
    homepage: home,
    license,
    architecture: { "64bit": { url, hash: sha256 } },
    extract_dir: `docent-${version}-windows-x64`,
    bin: "docent.exe",
  };
  return `${JSON.stringify(manifest, null, 4)}\n`;
}

const WINGET_ID = "Docent.Docent";
const WINGET_SCHEMA = "1.10.0";

/** The three manifests of winget, for Windows: file names with their content. */
export function wingetManifests(
  { version, license, description, maintainer }: ReleaseFacts,
  find: FindArchive,
): Record<string, string> {
  const { url, sha256 } = find("windows-x64");
  const write = (type: string, fields: Record<string, unknown>) =>
    `# yaml-language-server: $schema=https://aka.ms/winget-manifest.${type}.${WINGET_SCHEMA}.schema.json\n${Object.entries(
      {
        PackageIdentifier: WINGET_ID,
        PackageVersion: version,
        ...fields,
        ManifestType: type,
        ManifestVersion: WINGET_SCHEMA,
      },
    )
      .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
      .join("")}`;
  return {
    [`${WINGET_ID}.yaml`]: write("version", { DefaultLocale: "en-US" }),
    [`${WINGET_ID}.installer.yaml`]: write("installer", {
      InstallerType: "zip",
      NestedInstallerType: "portable",
      NestedInstallerFiles: [
        { RelativeFilePath: `docent-${version}-windows-x64\\docent.exe`, PortableCommandAlias: "docent" },
      ],
      Installers: [{ Architecture: "x64", InstallerUrl: url, InstallerSha256: sha256.toUpperCase() }],
    }),
    [`${WINGET_ID}.locale.en-US.yaml`]: write("defaultLocale", {
      PackageLocale: "en-US",
      Publisher: maintainer.replace(/ <.*/, ""),
      PackageName: "Docent",
      License: license,
      ShortDescription: description,
    }),
  };
}

const NIX_PLATFORMS = {
  "x86_64-linux": "linux-x64-baseline",
  "aarch64-linux": "linux-arm64",
  "aarch64-darwin": "macos-arm64",
  "x86_64-darwin": "macos-x64",
} as const;

/** A flake of Nix, with a package and an app for each platform. */
export function nixFlake({ version, description, license }: ReleaseFacts, find: FindArchive): string {
  const archives = Object.entries(NIX_PLATFORMS).map(([system, platform]) => {
    const { url, sha256 } = find(platform);
    return `        ${system} = { url = "${url}"; sha256 = "${sha256}"; };`;
  });
  return `{
  description = "${description}";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      archives = {
${archives.join("\n")}
      };
      package = system:
        let pkgs = nixpkgs.legacyPackages.\${system};
        in pkgs.stdenv.mkDerivation {
          pname = "docent";
          version = "${version}";
          src = pkgs.fetchurl archives.\${system};
          nativeBuildInputs = [ pkgs.installShellFiles ]
            ++ pkgs.lib.optional pkgs.stdenv.hostPlatform.isLinux pkgs.patchelf;
          # The binary carries its program: what strips it takes that away.
          dontStrip = true;
          dontPatchELF = true;
          installPhase = ''
            runHook preInstall
            install -Dm755 docent $out/bin/docent
            \${pkgs.lib.optionalString pkgs.stdenv.hostPlatform.isLinux ''
              patchelf --set-interpreter "$(cat $NIX_CC/nix-support/dynamic-linker)" $out/bin/docent
            ''}
            installManPage docent.1
            installShellCompletion --bash --name docent completions/docent.bash
            installShellCompletion --zsh --name _docent completions/_docent
            installShellCompletion --fish --name docent.fish completions/docent.fish
            runHook postInstall
          '';
          meta = {
            description = "${description}";
            mainProgram = "docent";
            license = pkgs.lib.licenses.${license.toLowerCase()};
            platforms = builtins.attrNames archives;
          };
        };
    in {
      packages = builtins.mapAttrs (system: _: { default = package system; }) archives;
      apps = builtins.mapAttrs
        (system: _: { default = { type = "app"; program = "\${package system}/bin/docent"; }; })
        archives;
    };
}
`;
}
