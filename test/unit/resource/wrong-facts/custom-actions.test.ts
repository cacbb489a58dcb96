import { expect, describe as group, test } from '@jest/globals';
import { compileValidator } from '../../../../service/validation/compile.ts';
import { wrongFacts } from '../../../../service/wrong-facts/resources.ts';
import { done, missing } from '../../../../shared/resource/actions/outcome.ts';
import type { Fields } from '../../../../shared/resource/description/description.ts';
import { binary, text } from '../../../../shared/resource/description/fields.ts';
import { describe, serverPart } from '../../../../shared/resource/description/plan.ts';
import { type Resource, resource } from '../../../../shared/resource/resource.ts';
import { type CustomEndpoint, customActions } from '../../../../shared/resource/styles/custom-actions.ts';
import { registry } from '../../../fixtures/custom-actions/registry.ts';

const action = (id: string, more: Pick<CustomEndpoint, 'body' | 'scope'> = {}): CustomEndpoint => ({
  at: 'item',
  id,
  run: () => done,
  check: () => done,
  ...more,
});

const withBody = (fields: Fields, required: readonly string[] = []): CustomEndpoint =>
  action('ask', {
    body: { fields, required, validate: compileValidator(describe({ singular: 'ask', fields })) },
  });

const STATES = describe({
  singular: 'task',
  fields: { state: text('State', { server: true, choices: ['new', 'done'] }) },
});

/** A resource with custom actions. */
const tasks = (actions: readonly CustomEndpoint[], more: Partial<Resource> = {}): Resource => ({
  ...resource({
    name: 'tasks',
    title: 'Tasks',
    about: 'Work.',
    description: describe({ singular: 'task', fields: { name: text('Name') } }),
    routes: () => customActions('/tasks', () => missing(), actions),
  }),
  ...more,
});

test('no fact of the fixture is wrong', () => expect(wrongFacts(registry)).toEqual([]));

group('a wrong fact of a custom action', () => {
  test.each<[string, Resource, string]>([
    ['the path of a form', tasks([action('edit')]), "the action 'edit' has the path of a form"],
    [
      'the name of a transition',
      tasks([action('end')], {
        description: STATES,
        validateServer: compileValidator(serverPart(STATES)),
        process: { field: 'state', initial: 'new', transitions: { end: { from: ['new'], to: 'done' } } },
      }),
      "the action 'end' has the name of a transition: rename one of them",
    ],
    ['no scope', tasks([action('a', { scope: 'All' })]), "the action 'a' needs 'All', which is not a scope"],
    [
      'a name that is not a path',
      tasks([action('sendMail')]),
      "the path '/tasks/{id}/sendMail' is not a template",
    ],
    [
      'a body with bytes',
      tasks([withBody({ photo: binary('Photo', { accepts: 'image/*' }) })]),
      "in the body of the action 'ask', 'photo' has bytes, which only an item can have: remove it",
    ],
    [
      'a body with a fact of stored values',
      tasks([withBody({ code: text('Code', { unique: true }) })]),
      "in the body of the action 'ask', 'code' has the fact unique, which has no effect there: remove it",
    ],
    [
      'a body with a property of every item',
      tasks([withBody({ id: text('Id') })]),
      "in the body of the action 'ask', the field 'id' has the name of a property of every item",
    ],
    [
      'writes of no resource',
      tasks([action('a')], { uses: [{ writes: { name: 'nope', sortable: [], referredBy: [], uses: [] } }] }),
      "it needs the items of 'nope', which is not a resource",
    ],
  ])('is found: %s', (_, wrong, sentence) => {
    expect(wrongFacts([wrong]).join('\n')).toContain(`functions/tasks.ts: ${sentence}`);
  });

  test('is found before all others, if two actions have one name', () => {
    expect(() => tasks([action('a'), action('a')])).toThrow("/tasks has two actions 'a': rename one of them");
  });
});
