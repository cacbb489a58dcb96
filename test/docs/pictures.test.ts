import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newService, type Service } from '../support/service/service.ts';
import { DEVICES, pictures, shownBy } from './pictures.ts';

const FOLDER = join(import.meta.dirname, '../../docs/pages');

let service: Service;

beforeAll(async () => {
  service = await newService();
}, 40_000);
afterAll(() => service.stop());

/* If the style or a page has changed, `npm run lab -- pictures` takes the pictures again. Look at them before a commit. */
test('docs/pages shows the pages and the style of this version', async () => {
  const all = await pictures(service.client);
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.png'));
  expect(names.sort()).toEqual(
    Object.keys(all)
      .flatMap((name) => Object.keys(DEVICES).map((device) => `${name}${device}.png`))
      .sort(),
  );
  const taken = JSON.parse(readFileSync(join(FOLDER, 'shown.json'), 'utf8')) as Record<string, string>;
  expect(await shownBy(service.client, all)).toEqual(taken);
}, 20_000);
