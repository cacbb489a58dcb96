import { capitalize } from '../../shared/resource/description/fields.ts';
import { isJson } from '../evolution/json.ts';
import { ref, type Schema } from '../model.ts';
import { pascal } from '../texts.ts';

/** Keywords that say something about one use of a schema. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'deprecated',
  'examples',
  'readOnly',
  'x-refers-to',
  'xml',
]);

const branchesOf = ({ anyOf, oneOf }: Schema): readonly unknown[] | undefined => {
  const branches = anyOf ?? oneOf;
  return Array.isArray(branches) ? branches : undefined;
};

/** True if the schema is another one or null, which all generators of clients know. */
const isNullable = (branches: readonly unknown[]): boolean =>
  branches.length === 2 && branches.some((one) => isJson(one) && one.type === 'null');

/**
 * Returns the same schemas with a component for each choice of schemas inside them. Many generators of clients give a
 * choice without a name no type, or one that does not compile.
 */
export function withNamedUnions(schemas: Readonly<Record<string, Schema>>): Record<string, Schema> {
  const named: Record<string, Schema> = {};

  function inside(value: unknown, place: string): unknown {
    if (Array.isArray(value)) return value.map((one) => inside(one, place));
    if (!isJson(value)) return value;
    const { properties } = value;
    return Object.fromEntries(
      Object.entries(value).map(([keyword, one]) => {
        if (keyword !== 'properties' || !isJson(properties)) return [keyword, withName(one, place)];
        const inner = Object.entries(properties).map(([name, own]) => [
          name,
          withName(own, place + pascal(name)),
        ]);
        return [keyword, Object.fromEntries(inner)];
      }),
    );
  }

  function withName(value: unknown, place: string): unknown {
    if (Array.isArray(value)) return value.map((one) => withName(one, place));
    const schema = inside(value, place);
    const branches = isJson(schema) ? branchesOf(schema) : undefined;
    if (!isJson(schema) || !branches || isNullable(branches)) return schema;
    const entries = Object.entries(schema);
    const union = Object.fromEntries(entries.filter(([keyword]) => !ANNOTATIONS.has(keyword)));
    const use = Object.fromEntries(entries.filter(([keyword]) => ANNOTATIONS.has(keyword)));
    return { ...use, ...ref('schemas', nameOf(union, branches, place)) };
  }

  /** Returns the name of the component of a choice: of its types, or of its first place if its branches have none. */
  function nameOf(union: Schema, branches: readonly unknown[], place: string): string {
    const text = JSON.stringify(union);
    const known = Object.entries(named).find(([, one]) => JSON.stringify(one) === text);
    if (known) return known[0];
    const types = branches.map(typeOf);
    const plain = types.every((one) => one !== undefined) ? types.map(capitalize).join('Or') : place;
    const isTaken = (name: string) => name in named || name in schemas;
    const free = [plain, `${place}Value`].find((name) => !isTaken(name));
    if (free === undefined) throw new Error(`Two schemas would have the name ${place}Value`);
    named[free] = union;
    return free;
  }

  const own = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, inside(schema, name) as Schema]),
  );
  return { ...own, ...named };
}

/** Returns the type of a branch as a word of a name; undefined if it has properties, elements or a reference. */
function typeOf(branch: unknown): string | undefined {
  if (!isJson(branch) || 'properties' in branch || 'items' in branch) return undefined;
  const types = [branch.type].flat();
  return types.every((one) => typeof one === 'string') ? types.map(capitalize).join('Or') : undefined;
}
