import type { Finding, Place } from './finding.ts';

/** Returns the sentence about a finding, such as `PUT /widgets: body (application/json) size: minimum was 0, and is 1`. */
export function sentenceOf(finding: Finding): string {
  const statement = statementOf(finding);
  if (finding.kind === 'pathGone' || finding.kind === 'methodGone') return statement;
  return `${finding.method} ${finding.path}: ${statement}`;
}

/** Returns the sentence without its request. */
export function statementOf(finding: Finding): string {
  const place = placeOf(finding);
  switch (finding.kind) {
    case 'pathGone':
      return `${finding.path} is gone`;
    case 'methodGone':
      return `${finding.method} ${finding.path} is gone`;
    case 'parameterGone':
    case 'bodyGone':
    case 'responseGone':
      return `${place} is gone`;
    case 'contentGone':
      return `${place}: ${finding.type} is gone`;
    case 'headerGone':
      return `${place}: header field ${finding.name} is gone`;
    case 'memberGone':
      return `${place}: ${finding.name} is gone`;
    case 'operationId':
      return `its operationId was ${finding.was}`;
    case 'credentials':
      return finding.held
        ? `${JSON.stringify(finding.held)} does not suffice any more`
        : 'credentials must be sent now';
    case 'partNeeded':
      return `${place} must be sent now`;
    case 'memberNeeded':
      return `${place}: ${finding.name} must be given now`;
    case 'memberUncertain':
      return `${place}: ${finding.name} may be missing now`;
    case 'schemaGone':
      return `${place}: it has no schema any more`;
    case 'type':
      return `${place}: its type was ${typesOf(finding.was)}, and is ${typesOf(finding.is)}`;
    case 'bound':
      return `${place}: ${finding.keyword} was ${finding.was ?? 'not given'}, and is ${finding.is}`;
    case 'choiceGone':
      return `${place}: ${JSON.stringify(finding.choice)} is no longer a choice`;
    case 'choices':
      return `${place}: only certain values are allowed now`;
    case 'closed':
      return `${place}: other members are refused now`;
    case 'keyword':
      return `${place}: its ${finding.keyword} is another one`;
  }
}

/** Returns the name of a place within its request; empty for the request as a whole. */
function placeOf({ part, within = [] }: Place): string {
  if (!part) return '';
  const levels = within.map((one) => (typeof one === 'object' ? one.property : one));
  if (part.kind === 'parameter') return [`${part.in} parameter ${part.name}`, ...levels].join(' ');
  const name = part.kind === 'body' ? 'body' : `answer ${part.status}`;
  return [name, ...(part.type === undefined ? [] : [`(${part.type})`]), ...levels].join(' ');
}

const typesOf = (types: readonly unknown[]): string => types.join(' or ') || 'any';
