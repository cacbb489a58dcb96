import { regularSingular } from '../../api/definition.ts';
import type { Names } from './names.ts';

/** Returns the text of the file of a new resource. */
export function definitionOf({ plural, singular }: Names): string {
  const word = singular === regularSingular(plural) ? '' : `  singular: '${singular}',\n`;
  return `import { resource, text } from 'resource-api';

export const ${plural} = resource('${plural}', {
  about: 'Say here what ${plural} are.',
${word}  fields: {
    name: text({ required: true, sortable: true }),
  },
});
`;
}
