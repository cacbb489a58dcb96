import { Annotations, type Stack } from 'aws-cdk-lib';
import { hasSignIn } from '../constructs/api/sign-in.ts';
import type { Options } from '../options.ts';
import type { tableChanges } from '../stored.ts';

/** Options that work and that an operator may regret: `cdk synth` prints a warning for each. */
const RISKS: Readonly<
  Record<string, { readonly isRun: (options: Options) => boolean; readonly warning: string }>
> = {
  open: {
    isRun: ({ auth }) => auth === 'none',
    warning: 'auth=none: everyone who knows the address can read, change and delete everything',
  },
  withoutSignIn: {
    isRun: (options) => options.pages && options.auth === 'token' && !hasSignIn(options),
    warning:
      'Pages have no sign-in: with issuer set signInClient, with edge set domainName, or set pages=false',
  },
  withoutHost: {
    isRun: ({ basePath, domainName }) => basePath !== undefined && domainName === undefined,
    warning: 'basePath without domainName: links lead nowhere unless a proxy of yours serves this path',
  },
  unwatched: {
    isRun: ({ data, observability }) => data === 'retain' && observability === 'none',
    warning: 'observability=none: no alarm rings if the service fails, or if work is lost',
  },
  silent: {
    isRun: ({ alarmEmail, observability }) => alarmEmail === undefined && observability !== 'none',
    warning:
      'The alarms reach no person: set alarmEmail, or subscribe to the topics in the outputs AlarmTopic and TicketTopic',
  },
};

/** Names the tables that the deployment of a release makes, and those that it leaves behind. */
export function nameTables(
  stack: Stack,
  { adoptedTables = '' }: Options,
  { entering, leaving }: ReturnType<typeof tableChanges>,
): void {
  const made = entering.filter((name) => !`,${adoptedTables}`.includes(`,${name}=`));
  if (made.length > 0)
    Annotations.of(stack).addInfo(
      `Since the last release, the stack has the new tables ${made.join(', ')}. They are empty, unless adoptedTables names others`,
    );
  if (leaving.length > 0)
    Annotations.of(stack).addWarningV2(
      'resource-api:leaving',
      `Since the last release, the stack no longer has the tables ${leaving.join(', ')}: ` +
        'with data=retain AWS keeps them, and `npm run data -- retained` names them',
    );
}

/** Warns of the risks that the options run. */
export function warnOfRisks(stack: Stack, options: Options): void {
  for (const [id, { isRun, warning }] of Object.entries(RISKS))
    if (isRun(options)) Annotations.of(stack).addWarningV2(`resource-api:${id}`, warning);
}
