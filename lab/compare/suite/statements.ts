import { conditions } from './parts/conditions.ts';
import { content } from './parts/content.ts';
import { files } from './parts/files.ts';
import { lists } from './parts/lists.ts';
import { wire } from './parts/messages.ts';
import { methods } from './parts/methods.ts';
import { negotiation } from './parts/negotiation.ts';
import { patches } from './parts/patches.ts';
import { people } from './parts/people.ts';
import { problems } from './parts/problems.ts';
import { durability, races } from './parts/races.ts';
import { work } from './parts/work.ts';
import type { Statement } from './statement.ts';

/** All statements, in the order of a run. The removal of all customers and the end of the process come last. */
export const statements: readonly Statement[] = [
  ...methods,
  ...content,
  ...negotiation,
  ...conditions,
  ...patches,
  ...files,
  ...lists,
  ...races,
  ...problems,
  ...people,
  ...wire,
  ...work,
  ...durability,
];
