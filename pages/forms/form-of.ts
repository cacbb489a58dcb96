import { shownVersion } from '../../shared/flow/response/document.ts';
import { VERSION_INPUT } from '../../shared/representations/forms/inputs.ts';
import { itemMembers } from '../../shared/representations/item.ts';
import type { AskedForm, Document, Place } from '../../shared/representations/representation.ts';
import type { Description } from '../../shared/resource/description/description.ts';
import { descriptionOf } from '../../shared/resource/resource.ts';
import { requirePart } from '../markup.ts';
import { titleOf } from '../names/item-name.ts';
import type { Form, PageDocument } from '../page-document.ts';

/** Returns the members of an object that have other names than these. */
const without = <Value>(
  object: Readonly<Record<string, Value>>,
  names: readonly string[],
): Readonly<Record<string, Value>> =>
  names.length === 0
    ? object
    : Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

/** The description of the form of a custom action: the item is the subject, and the inputs are those of the body. */
const withBody = (
  { fields: _, ...item }: Description,
  { fields, required }: Description,
  title: string | undefined,
): Description => ({ ...item, fields, required, open: false, title: () => title });

/** Returns a form with the current values. After a refusal, it has the submitted values and the reason. */
export function formOf(
  { kind, route, parameters, state, sight, fieldLimits }: AskedForm,
  { resource: asked, basePath }: Place,
  expansions: Document['expansions'],
  refused: Pick<Form, 'sent' | 'refused' | 'isStale'> = {},
): PageDocument {
  const resource = requirePart(asked);
  const whole = descriptionOf(resource);
  const { unsettable = [], kept = [] } = fieldLimits ?? {};
  // A form has inputs for what the caller can set. An input for an unseen value would be empty, and remove the value.
  const left = kind === 'new' ? unsettable : kind === 'edit' ? kept : [];
  const shown = state?.kind === 'item' ? itemMembers(resource, state.item, basePath, { sight }) : {};
  const performed = kind === 'action' || kind === 'transition' ? route.endpoints.POST : undefined;
  const action = kind === 'action' ? performed : undefined;
  const description = action?.body
    ? withBody(whole, action.body.description, titleOf(whole, shown))
    : { ...whole, fields: without(whole.fields, left) };
  const sent = refused.sent && new Map([...refused.sent].filter(([name]) => !left.includes(name)));
  const sentVersion = refused.sent?.get(VERSION_INPUT)?.[0];
  const members =
    state?.kind === 'item' && !action
      ? without(shown, left)
      : kind === 'new'
        ? {}
        : { [description.identifier.name]: parameters.id ?? parameters.name };
  return {
    kind: 'form',
    name: description.singular,
    description,
    members,
    expansions,
    ...(kind === 'delete' && state?.kind === 'item' ? { related: state.related } : {}),
    form: {
      kind,
      ...(performed ? { action: { id: performed.id, summary: performed.summary } } : {}),
      ...(action?.body ? { relations: action.body.relations } : {}),
      version: refused.refused
        ? (shownVersion(resource, state) ?? sentVersion)
        : (sentVersion ?? shownVersion(resource, state)),
      ...refused,
      ...(sent ? { sent } : {}),
    },
  };
}
