import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { OPTIONS } from '../../infra/options.ts';
import { anonymous } from '../../tools/first-deployment/record.ts';
import { stepsOf, tableOf } from '../../tools/first-deployment/steps.ts';
import { atLeastOne } from '../support/expectations/at-least-one.ts';
import { awsCallsIn } from '../support/runbook/commands.ts';
import { command } from '../support/service/command.ts';
import { temporary } from '../support/service/service.ts';
import { describeUnless, missing } from '../support/skips/describe-unless.ts';

const ROOT = join(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/first-deployment.md'), 'utf8');
const { before, steps } = stepsOf(page);
const titles = steps.map(({ title }) => title);

test('the table of the page has its steps, and the removal is the last one', () => {
  expect(page).toContain(`\n${tableOf(steps)}\n`);
  expect(titles.at(-1)).toBe('Removal');
  expect(titles.length).toBeGreaterThan(10);
});

test('every step says what it must print, and has commands', () => {
  expect(steps.filter(({ prints, script }) => prints.length === 0 || script === '')).toEqual([]);
});

test('the commands of this project and of CDK exist with these options', async () => {
  const text = [before, ...steps.map(({ script }) => script)].join('\n');
  const options = [...text.matchAll(/ -c (\w+)=/g)].map(([, name = '']) => name);
  expect(atLeastOne(options).filter((name) => !(name in OPTIONS))).toEqual([]);
  const usage = async (...args: string[]) => (await command(process.execPath, args, { cwd: ROOT })).log;
  const data = await usage('tools/data/main.ts');
  const smoke = await usage('tools/main.ts', 'smoke');
  const compare = readFileSync(join(ROOT, 'lab/compare/run.ts'), 'utf8');
  const named = (pattern: RegExp) => atLeastOne([...text.matchAll(pattern)].map(([, name = '']) => name));
  const usedOf = (call: RegExp) => named(call).flatMap((rest) => rest.match(/--\w+/g) ?? []);
  expect(named(/npm run data -- (\w+)/g).filter((name) => !data.includes(` ${name} `))).toEqual([]);
  expect(usedOf(/npm run data -- (.*)/g).filter((option) => !data.includes(`${option} `))).toEqual([]);
  expect(usedOf(/tool -- smoke (.*)/g).filter((option) => !smoke.includes(`${option} `))).toEqual([]);
  expect(usedOf(/lab -- compare (.*)/g).map((option) => option.slice(2))).toEqual(['url', 'token']);
  for (const option of ['url', 'token']) expect(compare).toContain(`${option}: { type: 'string' }`);
  expect(awsCallsIn(text).length).toBeGreaterThan(10);
});

test('a record has no account, token, address or identifier', () => {
  const url = 'https://a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com/v1';
  expect(anonymous(`x.URL = ${url} and arn:aws:sns:eu-central-1:123456789012:x-AlarmTopic1A2B3C4D5E6F`)).toBe(
    'x.URL = https://API.execute-api.eu-central-1.amazonaws.com/v1 and arn:aws:sns:eu-central-1:ACCOUNT:x-ID',
  );
  expect(anonymous('x.UserPool = eu-central-1_Ab3dE6gH9, to ada.b@example.com')).toBe(
    'x.UserPool = POOL, to EMAIL',
  );
  expect(anonymous('x.ClientId = 4k2j3h4k5j6h7k8j9h0k1j2h3k, eyJhbGciOi.eyJzdWIi.c2lnbg')).toBe(
    'x.ClientId = ID, TOKEN',
  );
  expect(anonymous('✓ S11 after 12 ms; 463 of 476 statements are met')).toBe(
    '✓ S11 after 12 ms; 463 of 476 statements are met',
  );
});

/** The programs of the steps, which print what a deployment would. $SMOKE is the end of the smoke test. */
const FAKE = `#!/bin/sh
[ "$(basename "$0")" != jq ] || cat > /dev/null
case "$(basename "$0") $*" in
  "git rev-parse HEAD") echo 0123456789abcdef ;;
  "npx cdk bootstrap"*) echo "Environment aws://123456789012/eu-central-1 bootstrapped" ;;
  "npx cdk deploy"*)
    echo "$*" | grep -q require-approval || exit 1
    if [ -e "$WORK/is-bad" ]; then rm "$WORK/is-bad"; exit 1; fi
    echo "resource-api-first.URL = https://a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com/v1"
    echo "resource-api-first.SignIn = https://a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com/v1/sign-in"
    echo "{}" > "$WORK/outputs.json" ;;
  "npm run tool"*) echo "\${SMOKE:-40 proven, 0 wrong, 3 not testable here}" ;;
  "npm run lab"*) echo "463 of 476 statements are met" ;;
  "perl "*bad*) touch "$WORK/is-bad" ;;
  "aws sts"*) echo 123456789012 ;;
  "aws service-quotas"*) echo 1000.0 ;;
  "aws cloudformation"*) echo UPDATE_ROLLBACK_COMPLETE ;;
  "aws dynamodb list-tables --query length"*|"aws s3api"*) echo 0 ;;
  "jq "*to_entries*) echo "URL=https://a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com/v1 SignIn=https://a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com/v1/sign-in UserPool=p ClientId=c TokenEndpoint=t Worker=w" ;;
  "jq "*again*) echo "the member is again Ada Byron" ;;
  "jq "*"member is"*) echo "the member is Ada Byron" ;;
  "jq "*receiver*) echo "the receiver answered 401" ;;
  "jq "*) echo 7 ;;
  "curl "*) echo 'member.changed "status":401' ;;
esac
`;

describeUnless(missing('bash'), 'the tool, with programs that only print', () => {
  let place: Awaited<ReturnType<typeof temporary>>;
  let bin: string;
  beforeAll(async () => {
    place = await temporary();
    bin = join(place.directory, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'fake'), FAKE);
    chmodSync(join(bin, 'fake'), 0o755);
    for (const name of ['git', 'npx', 'npm', 'perl', 'aws', 'jq', 'curl'])
      symlinkSync('fake', join(bin, name));
  });
  afterAll(() => place.remove());

  /** Runs the tool in a folder of its own, with these lines as its input. */
  async function deploy(folder: string, lines: readonly string[], more: NodeJS.ProcessEnv = {}) {
    const work = join(place.directory, folder);
    const record = `${work}.md`;
    const args = ['tools/main.ts', 'first-deployment', '--work', work, '--record', record];
    const { code, log } = await command(process.execPath, args, {
      cwd: ROOT,
      input: Buffer.from(lines.map((line) => `${line}\n`).join('')),
      env: {
        ...process.env,
        PATH: `${bin}${delimiter}${process.env.PATH}`,
        EMAIL: 'ada@example.com',
        AWS_REGION: 'eu-central-1',
        ...more,
      },
    });
    const begun = [...log.matchAll(/^\d+ of \d+: ([\w -]+) \(/gm)].map(([, title]) => title);
    return { code, log, begun, record: existsSync(record) ? readFileSync(record, 'utf8') : '' };
  }

  /** Enter for each question of these steps. */
  const enters = (from: number, to?: number) =>
    steps.slice(from, to).flatMap(({ byHand }) => (byHand === undefined ? [''] : ['', '']));

  test('runs all steps, and the record has commit, region and minutes, and no identifiers', async () => {
    const { code, log, begun, record } = await deploy('all', enters(0));
    expect([code, begun]).toEqual([0, titles]);
    expect(log).not.toContain('✕');
    expect(record).toContain('commit 0123456789abcdef, in eu-central-1');
    expect(record).toContain('13 of 13 steps');
    expect(record).toContain('463 of 476 statements are met');
    expect(record).toContain('## Differences\n\nNone.');
    expect(steps.filter(({ title, minutes }) => !record.includes(`| ${title} | ${minutes} | `))).toEqual([]);
    expect(record).not.toMatch(/123456789012|a1b2c3d4e5|@example/);
  });

  test('goes on after an interruption with the steps that are left', async () => {
    const first = await deploy('interrupted', enters(0, 3));
    expect([first.code, first.begun]).toEqual([2, titles.slice(0, 4)]);
    expect(first.log).toContain('The input has ended');
    expect(first.record).toContain('3 of 13 steps');
    const second = await deploy('interrupted', enters(3));
    expect([second.code, second.begun]).toEqual([0, titles.slice(3)]);
    expect(second.record).toContain('13 of 13 steps');
  });

  test('refuses to go on in another region', async () => {
    await deploy('moved', enters(0, 1));
    const { code, log } = await deploy('moved', [], { AWS_REGION: 'eu-west-1' });
    expect([code, log]).toEqual([2, expect.stringContaining('The run began in eu-central-1')]);
  });

  test('notes what differs, repeats a step, and leaves one out', async () => {
    const SMOKE = '38 proven, 2 wrong, 3 not testable here';
    const { record } = await deploy('different', [...enters(0, 3), '', 'r', 'S9 of ada@example.com', 's'], {
      SMOKE,
    });
    expect(record).toContain('- **Smoke test:** the output lacks ", 0 wrong,"; S9 of EMAIL');
    expect(record).toContain(`### Smoke test\n\n\`\`\`\n${SMOKE}\n\`\`\``);
    expect(record).toMatch(/\| Contract \| 5 \| 0\.0 \| left out \|/);
  });

  test('offers the removal when a person stops, and goes on later if the deployment stays', async () => {
    const stopped = await deploy('stopped', [...enters(0, 2), 'q', 's']);
    expect([stopped.code, stopped.begun]).toEqual([0, [...titles.slice(0, 3), 'Removal']]);
    expect(stopped.log).toContain('The deployment stays');
    const removed = await deploy('stopped', ['q', '', '']);
    expect([removed.code, removed.begun]).toEqual([0, ['Deploy', 'Removal']]);
    expect(removed.record).toMatch(/\| Removal \| 10 \| \d\.\d \| as the page says \|/);
  });

  test('refuses unknown arguments, and a call without an address', async () => {
    const run = (args: readonly string[], EMAIL: string) =>
      command(process.execPath, ['tools/main.ts', 'first-deployment', ...args], {
        cwd: ROOT,
        env: { ...process.env, EMAIL, AWS_REGION: 'eu-central-1' },
      });
    for (const { code, log } of await Promise.all([
      run(['--fast'], 'a@b.c'),
      run(['now'], 'a@b.c'),
      run([], ''),
    ]))
      expect([code, log]).toEqual([2, expect.stringContaining('EMAIL=you@example.com')]);
  });
});
