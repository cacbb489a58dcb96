import { expect, test } from '@jest/globals';
import { readXml } from '../../../shared/representations/xml/xml-reader.ts';
import type { Fields } from '../../../shared/resource/description/description.ts';
import { text } from '../../../shared/resource/description/fields.ts';
import { describe as describeItem } from '../../../shared/resource/description/plan.ts';

const closed = describeItem<Fields>({ singular: 'note', fields: { title: text('Title') } });

// Specification 2.10
test.each([
  ['with children', '<foo><bar>1</bar>text</foo>'],
  ['of an unknown type', '<foo type="zzz"/>'],
  ['of another type than it says', '<foo type="number">one</foo>'],
  ['that is repeated', '<foo/><foo>1</foo>'],
  ['with a name that objects have', '<__proto__>1</__proto__><constructor/><toString/>'],
  ['with a name that no property may have', `<a:b xmlns:a="urn:x">1</a:b><${'x'.repeat(100)}/>`],
])('a closed resource ignores an undeclared element %s', async (_what, unknown) => {
  const document = `<note>${unknown}<title>One</title>${unknown}</note>`;
  expect(await readXml(Buffer.from(document), closed)).toEqual({ value: { title: 'One' } });
});
