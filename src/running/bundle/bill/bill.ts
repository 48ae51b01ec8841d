import { sha256Of } from "../../archive/manifest.ts";
import packages from "./packages.json" with { type: "json" };

/** A bill of materials: what others made of the program. */
interface BillOfMaterials {
  /** The version of Docent. */
  version: string;
  /** When it is written, in milliseconds. */
  at: number;
}

interface Package {
  name: string;
  version: string;
  /** As SPDX writes it. */
  license: string;
  /** The digest of the package as the registry has it, in base64; of what is no package of npm, none. */
  sha512?: string | undefined;
}

const LICENSE = "MIT";
const listed: readonly Package[] = packages;

const purlOf = ({ name, version }: Package) =>
  `pkg:npm/${name.startsWith("@") ? name.replace("@", "%40") : name}@${version}`;
const hexOf = (sha512: string) => Buffer.from(sha512, "base64").toString("hex");
/** The same for the same program and time. */
const idOf = ({ version, at }: BillOfMaterials) => sha256Of(JSON.stringify([version, at, listed]));

/** CycloneDX 1.6 in JSON. */
export function cycloneDx(bill: BillOfMaterials): object {
  const id = idOf(bill);
  const uuid = [
    id.slice(0, 8),
    id.slice(8, 12),
    `5${id.slice(13, 16)}`,
    `8${id.slice(17, 20)}`,
    id.slice(20, 32),
  ];
  const docent = "docent";
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${uuid.join("-")}`,
    version: 1,
    metadata: {
      timestamp: new Date(bill.at).toISOString(),
      component: {
        type: "application",
        "bom-ref": docent,
        name: docent,
        version: bill.version,
        licenses: [{ license: { id: LICENSE } }],
      },
    },
    components: listed.map((each) => ({
      type: "library",
      "bom-ref": purlOf(each),
      name: each.name,
      version: each.version,
      licenses: [
        each.license.includes(" ") ? { expression: each.license } : { license: { id: each.license } },
      ],
      purl: purlOf(each),
      ...(each.sha512 !== undefined && { hashes: [{ alg: "SHA-512", content: hexOf(each.sha512) }] }),
    })),
    dependencies: [{ ref: docent, dependsOn: listed.map(purlOf) }],
  };
}

/** SPDX 2.3 in JSON. */
export function spdx(bill: BillOfMaterials): object {
  const root = "SPDXRef-docent";
  const refOf = ({ name, version }: Package) =>
    `SPDXRef-npm-${`${name}-${version}`.replace(/[^A-Za-z0-9.-]+/g, "-")}`;
  const unknown = { downloadLocation: "NOASSERTION", filesAnalyzed: false, copyrightText: "NOASSERTION" };
  return {
    spdxVersion: "SPDX-2.3",
    dataLicense: "CC0-1.0",
    SPDXID: "SPDXRef-DOCUMENT",
    name: `docent-${bill.version}`,
    documentNamespace: `https://spdx.org/spdxdocs/docent-${idOf(bill)}`,
    creationInfo: {
      created: new Date(bill.at).toISOString().replace(/\.\d+Z$/, "Z"),
      creators: [`Tool: docent-${bill.version.split(" ")[0] ?? ""}`],
    },
    packages: [
      {
        ...unknown,
        SPDXID: root,
        name: "docent",
        versionInfo: bill.version,
        licenseConcluded: LICENSE,
        licenseDeclared: LICENSE,
        primaryPackagePurpose: "APPLICATION",
      },
      ...listed.map((each) => ({
        ...unknown,
        SPDXID: refOf(each),
        name: each.name,
        versionInfo: each.version,
        licenseConcluded: each.license,
        licenseDeclared: each.license,
        externalRefs: [
          { referenceCategory: "PACKAGE-MANAGER", referenceType: "purl", referenceLocator: purlOf(each) },
        ],
        ...(each.sha512 !== undefined && {
          checksums: [{ algorithm: "SHA512", checksumValue: hexOf(each.sha512) }],
        }),
      })),
    ],
    relationships: [
      { spdxElementId: "SPDXRef-DOCUMENT", relationshipType: "DESCRIBES", relatedSpdxElement: root },
      ...listed.map((each) => ({
        spdxElementId: root,
        relationshipType: "CONTAINS",
        relatedSpdxElement: refOf(each),
      })),
    ],
  };
}
