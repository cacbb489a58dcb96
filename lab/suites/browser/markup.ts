import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Given } from '../part.ts';
import { pathOf } from '../tools.ts';
import type { Pages } from './data.ts';

const CHECKER = join(import.meta.dirname, '../node_modules/vnu-jar/build/dist/vnu.jar');

/** Checks the markup of pages by the Nu Html Checker, which may find nothing: no error and no warning. */
export async function markup(pages: Pages, { service, check }: Given): Promise<void> {
  await check('the Nu Html Checker finds nothing in the markup of all pages', async () => {
    const folder = join(service.folder, 'markup');
    mkdirSync(folder, { recursive: true });
    for (const [name, path] of pages) {
      const { text } = await service.client('GET', path, { headers: { Accept: 'text/html' } });
      writeFileSync(join(folder, `${name}.html`), text);
    }
    const { stderr } = spawnSync(pathOf('java'), ['-jar', CHECKER, '--format', 'gnu', folder]);
    assert.equal(String(stderr), '');
  });
}
