import { PROBLEMS } from '../../shared/http/problem.ts';
import { authenticated, open } from '../../shared/resource/access.ts';
import { integer, text } from '../../shared/resource/fields.ts';
import { resource } from '../../shared/resource/resource.ts';
import { document } from '../../shared/resource/styles.ts';
import { ADVICE } from './advice.ts';
import { health, home, problemType, suggestions, TITLE } from './documents.ts';

/** The home document, the health, the problem types, and every path without a route. */
export const root = resource({
  name: 'root',
  title: 'Home',
  about: 'Where to begin, whether the service answers, and what its problems mean.',
  routes: [
    ...authenticated(document('/', 'home')),
    ...open(document('/health', 'health')),
    ...open(document('/problems/{type}', 'problemType')),
  ],
  parameters: { type: text('Problem type', { choices: Object.keys(PROBLEMS), example: 'not-found' }) },
  documents: {
    home: { title: text('Title', { example: TITLE }) },
    health: { status: text('Status', { choices: ['pass'], example: 'pass' }) },
    problemType: {
      name: text('Name', { choices: Object.keys(PROBLEMS), example: 'not-found' }),
      title: text('Title', { example: PROBLEMS['not-found'].title }),
      status: integer('Status code', { maximum: 999, example: PROBLEMS['not-found'].status }),
      meaning: text('What it means', { example: ADVICE['not-found'].meaning }),
      remedy: text('What to do about it', { example: ADVICE['not-found'].remedy }),
    },
  },
  suggestions,
  actions: () => ({ home, health, problemType }),
});
