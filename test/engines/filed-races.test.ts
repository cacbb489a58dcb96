import { describe, expect, test } from '@jest/globals';
import { fileActions } from '../../shared/files/file-actions.ts';
import { attached, type Call, resourceOf } from './attached.ts';

/** Holds the next matching call until its release, like a slow network. */
let hold: { fits: (request: Call) => boolean; until: Promise<void>; reached: () => void } | undefined;

const isS3 = ({ headers }: Call) => headers['x-amz-target'] === undefined;
const isRow = (request: Call) => !isS3(request);

function held(fits: (request: Call) => boolean): { reached: Promise<void>; release: () => void } {
  let release = () => {};
  let arrived = () => {};
  const until = new Promise<void>((done) => {
    release = done;
  });
  const reached = new Promise<void>((done) => {
    arrived = done;
  });
  hold = { fits, until, reached: arrived };
  return { reached, release };
}

describe('writers of one file that overtake each other between object and row', () => {
  const files = resourceOf('files');
  attached(async (call, pass) => {
    const mine = hold?.fits(call[0]) ? hold : undefined;
    if (mine) {
      hold = undefined;
      mine.reached();
      await mine.until;
    }
    return pass(...call);
  });

  const actions = fileActions(files);
  const input = (filename: string) => ({ name: filename, parameters: {}, query: {}, now: Date.now() });
  const put = async (filename: string, text: string, mediaType = 'text/plain') =>
    actions.write({ ...input(filename), sent: { bytes: Buffer.from(text), mediaType } });
  const remove = async (filename: string) => actions.remove(input(filename));

  async function listed(filename: string) {
    const page = { limit: 100, offset: 0, order: [{ field: 'filename', descending: false }], filters: [] };
    const outcome = await actions.list({ ...input(filename), page });
    if (outcome.kind !== 'found' || outcome.state.kind !== 'list') throw new Error(outcome.kind);
    const row = outcome.state.page.items.find((item) => 'values' in item && item.id === filename);
    return row && 'values' in row
      ? { size: row.values.size, contentType: row.values.contentType }
      : undefined;
  }

  async function stored(filename: string) {
    const outcome = await actions.read(input(filename));
    if (outcome.kind !== 'found' || outcome.state.kind !== 'bytes') return undefined;
    return { size: outcome.state.bytes.size, contentType: outcome.state.bytes.mediaType };
  }

  test.each([
    ['two PUTs', (name: string) => put(name, 'second'), 'first'],
    ['two PUTs of the same bytes as another type', (name: string) => put(name, 'same', 'text/csv'), 'same'],
    ['a PUT and a DELETE', (name: string) => remove(name), 'first'],
  ])('write the row of the first one last if they are %s', async (what, other, text) => {
    const name = what.replaceAll(' ', '-');
    const { reached, release } = held(isRow);
    const first = put(name, text);
    await reached;
    await other(name);
    release();
    await first;
    expect(await listed(name)).toEqual(await stored(name));
  });

  test('keep the row of a PUT that a late DELETE would remove', async () => {
    await put('delete-put', 'first');
    const { reached, release } = held(isRow);
    const removal = remove('delete-put');
    await reached;
    await put('delete-put', 'second');
    release();
    await removal;
    expect(await stored('delete-put')).toMatchObject({ size: 6 });
    expect(await listed('delete-put')).toEqual(await stored('delete-put'));
  });

  test('repair a failed removal between object and row at the next removal', async () => {
    await put('half', 'text');
    hold = { fits: isRow, until: Promise.reject(new Error('gone')), reached: () => {} };
    hold.until.catch(() => {});
    await expect(remove('half')).rejects.toThrow();
    expect(await stored('half')).toBeUndefined();
    expect((await remove('half')).kind).toBe('missing');
    expect(await listed('half')).toBeUndefined();
  });
});
