import { type Part, type Synthesis, target } from './synthesis.ts';

interface Statement {
  readonly Effect: string;
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

/** CDK moves statements above the size limit of a policy into managed policies of the same role. */
const policiesOf = (service: Synthesis): readonly Part[] => [
  ...service.parts('AWS::IAM::Policy'),
  ...service.parts('AWS::IAM::ManagedPolicy'),
];

/** All statements of all policies. */
export const statements = (service: Synthesis): Statement[] =>
  policiesOf(service).flatMap(
    ({ Properties }) => (Properties.PolicyDocument as { Statement: Statement[] }).Statement,
  );

/** `Allow action resource` for every permission of a role, sorted. */
export function allowedTo(service: Synthesis, role: string): string[] {
  const policies = policiesOf(service).filter(({ Properties }) =>
    (Properties.Roles as unknown[]).map(target).includes(role),
  );
  const own = policies.flatMap(
    ({ Properties }) => (Properties.PolicyDocument as { Statement: Statement[] }).Statement,
  );
  const lines = own.flatMap(({ Effect, Action, Resource: on, Condition }) =>
    [Action].flat().flatMap((action) =>
      [on].flat().map((one) => {
        const condition = Condition ? ` if ${JSON.stringify(Condition)}` : '';
        return `${Effect} ${action} ${named(one)}${condition}`;
      }),
    ),
  );
  return [...new Set(lines)].sort();
}

/** The same for a function's role. */
export const allowed = (service: Synthesis, name: string): string[] =>
  allowedTo(service, target(service.functionOf(name).Properties.Role));

/** An ARN as `{logical id}{rest}`. */
function named(arn: unknown): string {
  if (typeof arn === 'string') return arn;
  const parts = (arn as { 'Fn::Join'?: [string, unknown[]] })['Fn::Join']?.[1] ?? [arn];
  return parts.map((part) => (typeof part === 'string' ? part : target(part))).join('');
}
