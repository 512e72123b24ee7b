/** Puts compressed forms beside every built file, so that the server doesn't have to make them. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const STATIC_FOLDER = fileURLToPath(new URL('../src/pytlik/server/static/', import.meta.url));
const COMPRESSIBLE_FILES = /\.(css|js|json|svg|txt)$/;

for (const entry of readdirSync(STATIC_FOLDER, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !COMPRESSIBLE_FILES.test(entry.name)) continue;
  const path = `${entry.parentPath}/${entry.name}`;
  const data = readFileSync(path);
  const forms = {
    br: brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: data.length } }),
    gz: gzipSync(data, { level: 9 }),
  };
  for (const [end, shorter] of Object.entries(forms)) {
    if (shorter.length < data.length) writeFileSync(`${path}.${end}`, shorter);
  }
}
