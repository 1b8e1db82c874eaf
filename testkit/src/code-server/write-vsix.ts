import { readFileSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { crc32 } from 'node:zlib';

const TYPES = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension=".json" ContentType="application/json"/><Default Extension=".cjs" ContentType="application/javascript"/>
<Default Extension=".vsixmanifest" ContentType="text/xml"/></Types>`;

/**
 * Makes a vsix of a folder that holds an extension as it is.
 *
 * A vsix is a zip with the extension under `extension/` and a manifest beside it. The files are stored, not packed: this is for
 * the small extensions of the tests.
 */
export async function writeVsix(folder: string, target: string): Promise<void> {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as ExtensionManifest;
  const entries = [
    { name: '[Content_Types].xml', content: Buffer.from(TYPES) },
    { name: 'extension.vsixmanifest', content: Buffer.from(packageManifest(manifest)) },
  ];
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const path = join(file.parentPath, file.name);
    entries.push({ name: `extension/${relative(folder, path).split(sep).join('/')}`, content: readFileSync(path) });
  }
  writeFileSync(target, storedZip(entries));
}

interface ExtensionManifest {
  publisher: string;
  name: string;
  version: string;
  displayName: string;
  engines: { vscode: string };
}

interface ZipEntry {
  name: string;
  content: Buffer;
}

function packageManifest({ publisher, name, version, displayName, engines }: ExtensionManifest): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata><Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}"/><DisplayName>${displayName}</DisplayName>
<Properties><Property Id="Microsoft.VisualStudio.Code.Engine" Value="${engines.vscode}"/></Properties></Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation><Dependencies/>
<Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/></Assets></PackageManifest>`;
}

/** The oldest form of a zip: each file after its header, then the directory, then where the directory stands. */
function storedZip(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of entries) {
    const label = Buffer.from(name);
    const common = Buffer.alloc(26); // Version 2.0, names in UTF-8, stored, no date, sum, both sizes, length of the name.
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x0800, 2);
    common.writeUInt16LE(0x21, 8); // The first day a zip can name.
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(content.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(label.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    files.push(Buffer.from('PK\x03\x04'), common, label, content);
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), common, place, label);
    offset += 4 + common.length + label.length + content.length;
  }
  const size = directory.reduce((sum, piece) => sum + piece.length, 0);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, ...directory, end]);
}
