import { describe, expect, test } from '@jest/globals';
import { repair } from '../../../functions/uploads/repair.ts';
import { fileActions } from '../../../shared/files/file-actions.ts';
import { ANYONE } from '../../../shared/resource/access/owner.ts';
import { timePasses } from '../../support/clock.ts';
import { attached, type Call, resourceOf } from '../attached.ts';

/** Holds the next matching call until its release, like a slow network. */
let hold: { fits: (request: Call) => boolean; until: Promise<void>; reached: () => void } | undefined;

const isS3 = ({ headers }: Call) => headers['x-amz-target'] === undefined;
/** The update of a row. A read may be of the inventory, for which all writers wait together. */
const isRowWrite = (request: Call) => request.headers['x-amz-target']?.endsWith('.UpdateItem') === true;
const isRowRemoval = (request: Call) => request.headers['x-amz-target']?.endsWith('.DeleteItem') === true;
/** The methods of the calls of S3. */
let methods: string[] = [];

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
    if (isS3(call[0])) methods.push(call[0].method);
    const mine = hold?.fits(call[0]) ? hold : undefined;
    if (mine) {
      hold = undefined;
      mine.reached();
      await mine.until;
    }
    return pass(...call);
  });

  const actions = fileActions(files);
  const input = (filename: string) => ({
    name: filename,
    caller: ANYONE,
    now: Date.now(),
  });
  const put = async (filename: string, text: string, mediaType = 'text/plain') =>
    actions.write({ ...input(filename), sent: { bytes: Buffer.from(text), mediaType } });
  const remove = async (filename: string) => actions.remove(input(filename));

  async function listed(filename: string) {
    const page = {
      limit: 100,
      offset: 0,
      sortOrder: [{ field: 'filename', descending: false }],
      filters: [],
    };
    const outcome = await actions.list({ ...input(filename), page });
    if (outcome.kind !== 'found' || outcome.state.kind !== 'list') throw new Error(outcome.kind);
    const row = outcome.state.page.items.find((item) => 'values' in item && item.id === filename);
    return row && 'values' in row
      ? { size: row.values.size, contentType: row.values.contentType }
      : undefined;
  }

  async function found(filename: string, mostBytes?: number) {
    const outcome = await actions.read({ ...input(filename), mostBytes });
    return outcome.kind === 'found' && outcome.state.kind === 'bytes' ? outcome.state.bytes : undefined;
  }

  async function stored(filename: string, mostBytes?: number) {
    const bytes = await found(filename, mostBytes);
    return bytes && { size: bytes.size, contentType: bytes.mediaType };
  }

  /** The text of a file. */
  async function whole(filename: string, mostBytes: number) {
    const bytes = await (await found(filename, mostBytes))?.read();
    return bytes && Buffer.from(bytes).toString();
  }

  test.each([
    ['two PUTs', (name: string) => put(name, 'second'), 'first'],
    ['two PUTs of the same bytes as another type', (name: string) => put(name, 'same', 'text/csv'), 'same'],
  ])('write the row of the first one last if they are %s', async (what, other, text) => {
    const name = what.replaceAll(' ', '-');
    const { reached, release } = held(isRowWrite);
    const first = put(name, text);
    // A failure of the write ends the wait.
    await Promise.race([reached, first]);
    await other(name);
    release();
    await first;
    expect(await listed(name)).toEqual(await stored(name));
  });

  /** Requests that end with a removal while the first PUT has not written its row. */
  const REMOVALS: readonly (readonly [string, (name: string) => Promise<unknown>])[] = [
    ['a DELETE', (name) => remove(name)],
    [
      'a PUT and a DELETE',
      async (name) => {
        await put(name, 'second');
        await remove(name);
      },
    ],
    [
      'a PUT of the same bytes and a DELETE',
      async (name) => {
        await put(name, 'first');
        await remove(name);
      },
    ],
  ];

  test.each(REMOVALS)(
    'lose the row of a PUT after its notification if %s overtakes it',
    async (what, others) => {
      const name = `quick ${what}`;
      const { reached, release } = held(isRowWrite);
      const first = put(name, 'first');
      await Promise.race([reached, first]);
      const time = Date.now();
      await others(name);
      const repaired = repair(files, name, { time, isRemoval: false });
      release();
      await Promise.all([first, repaired]);
      expect(await stored(name)).toBeUndefined();
      expect(await listed(name)).toBeUndefined();
    },
  );

  test.each(REMOVALS)('lose the row of a slow PUT at its end if %s overtakes it', async (what, others) => {
    const name = `slow ${what}`;
    const { reached, release } = held(isRowWrite);
    const first = put(name, 'first');
    await Promise.race([reached, first]);
    await others(name);
    timePasses(5000);
    release();
    await first;
    expect(await stored(name)).toBeUndefined();
    expect(await listed(name)).toBeUndefined();
  });

  test('keep the row of a PUT that a late DELETE would remove', async () => {
    await put('delete-put', 'first');
    const { reached, release } = held(isRowRemoval);
    const removal = remove('delete-put');
    await Promise.race([reached, removal]);
    await put('delete-put', 'second');
    release();
    await removal;
    expect(await stored('delete-put')).toMatchObject({ size: 6 });
    expect(await listed('delete-put')).toEqual(await stored('delete-put'));
  });

  test('keep the row of a PUT of the same bytes during a DELETE', async () => {
    await put('same', 'text');
    const { reached, release } = held(isRowRemoval);
    const removal = remove('same');
    await Promise.race([reached, removal]);
    await put('same', 'text');
    release();
    await removal;
    expect(await stored('same')).toMatchObject({ size: 4 });
    expect(await listed('same')).toEqual(await stored('same'));
  });

  test('repair a failed removal between object and row at the next removal', async () => {
    await put('half', 'text');
    hold = { fits: isRowRemoval, until: Promise.reject(new Error('gone')), reached: () => {} };
    hold.until.catch(() => {});
    await expect(remove('half')).rejects.toThrow();
    expect(await stored('half')).toBeUndefined();
    expect((await remove('half')).kind).toBe('missing');
    expect(await listed('half')).toBeUndefined();
  });

  describe('ask S3', () => {
    const calls = async (work: () => Promise<unknown>) => {
      methods = [];
      await work();
      return methods;
    };
    const mostBytes = 4;

    test('once for each of PUT, GET, HEAD and DELETE', async () => {
      expect(await calls(() => put('calls', 'text'))).toEqual(['PUT']);
      expect(await calls(() => whole('calls', mostBytes))).toEqual(['GET']);
      expect(await calls(() => stored('calls'))).toEqual(['HEAD']);
      expect(await calls(() => remove('calls'))).toEqual(['DELETE']);
    });

    test('once for a PUT that replaces an old file', async () => {
      await put('old', 'text');
      timePasses(60_000);
      expect(await calls(() => put('old', 'other'))).toEqual(['PUT']);
    });

    test('again after a PUT that replaces a recent file', async () => {
      await put('recent', 'text');
      expect(await calls(() => put('recent', 'other'))).toEqual(['PUT', 'HEAD']);
    });

    test('once for the metadata of a file that is too large for a response', async () => {
      await put('large', 'large');
      expect(await calls(() => stored('large', mostBytes))).toEqual(['GET']);
      expect(await whole('large', mostBytes)).toBe('large');
    });
  });
});
