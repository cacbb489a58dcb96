import fc, { type StringConstraints } from 'fast-check';

const [FIRST, COUNT] = [0xd800, 0x800];

/**
 * Each character of Unicode but halves of surrogate pairs. They are those of fast-check's unit `binary`, which makes a
 * table of all of them: that takes a second in each test file.
 */
export const anyCharacter = fc.integer({ min: 0, max: 0x10ffff - COUNT }).map(
  (at) => String.fromCodePoint(at < FIRST ? at : at + COUNT),
  (character) => {
    const code = String(character).codePointAt(0) ?? 0;
    if (String.fromCodePoint(code) !== character) throw new Error('One character is expected');
    return code < FIRST ? code : code - COUNT;
  },
);

/** Texts of such characters. */
export const anyText = (constraints: Omit<StringConstraints, 'unit'> = {}): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: anyCharacter });
