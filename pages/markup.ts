import { html, raw } from 'hono/html';
import type { Place } from '../shared/representations/representation.ts';
import type { Description } from '../shared/resource/description/description.ts';
import { capitalize } from '../shared/resource/description/fields.ts';
import type { FormKind, ResourceFacts } from '../shared/resource/facts.ts';
import { newestList } from '../shared/resource/list-template.ts';

/** Markup in which all text is escaped. */
export type Markup = ReturnType<typeof html>;

/** The content of a page: its title, its breadcrumb and its body. */
export interface Content {
  readonly title: string;
  /** The heading, if the title has more than it; undefined: the title. */
  readonly heading?: Markup;
  /** The breadcrumb without the home page: names and addresses. */
  readonly breadcrumbs: readonly (readonly [string, string])[];
  /** The buttons beside the heading. */
  readonly actions?: readonly (Markup | '' | undefined | false)[];
  readonly body: Markup;
}

/** Returns an attribute, without quotes if its value needs none. Source: HTML Living Standard §13.1.2.3. */
export const attribute = (name: string, value: number | string): Markup =>
  /^[\w.:/-]*\w$/.test(String(value)) ? html` ${raw(`${name}=${value}`)}` : html` ${raw(name)}="${value}"`;

/** Returns the resource, the description or the form of a page that has one. @throws Error if the page has none */
export function requirePart<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error('The page lacks a part that its content needs');
  return part;
}

/** Returns a text as a sentence, with its full stop. */
export const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Returns the label of a property for people. */
export const labelOf = ({ fields, identifier }: Description, name: string): string => {
  if (name === identifier.name) return identifier.label;
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return field?.label ?? OF_SERVICE[name] ?? capitalize(name);
};

const OF_SERVICE: Readonly<Record<string, string>> = {
  createdAt: 'Created',
  updatedAt: 'Changed',
  createdBy: 'Created by',
  updatedBy: 'Changed by',
};

/** Returns the title of a resource's list, and the address of the page with its newest items. */
export const listOf = (resource: ResourceFacts, { basePath }: Place): readonly [string, string] => [
  resource.title,
  basePath + newestList(resource),
];

/** True if people store files in the list of the resource. */
export const takesFiles = ({ routes }: ResourceFacts): boolean =>
  routes.some(({ endpoints }) => endpoints.POST?.content === 'files');

/** Returns the address of a form of an item; undefined if the resource has no such form. */
export function formAddress(
  { routes }: ResourceFacts,
  { basePath }: Place,
  kind: FormKind,
  id?: unknown,
): string | undefined {
  const route = routes.find(({ endpoints }) => endpoints.POST?.form === kind);
  return route && basePath + route.path.replace(/\{[^{}]+\}/, () => encodeURIComponent(String(id)));
}
