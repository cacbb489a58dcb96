import { deepStrictEqual, match, rejects, strictEqual } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { PACKAGE } from '../../service/folders.ts';
import { type DocumentCommand, differences } from '../../test/support/document-commands.ts';
import { freePort } from '../../test/support/free-port.ts';
import { temporary } from '../../test/support/service/service.ts';
import { runParts } from '../parts.ts';
import { succeed } from '../program.ts';
import { running } from '../running.ts';

/**
 * `npm run lab -- package` packs this project and makes a service of the package in an empty folder, with npm alone. It
 * then installs the package of a later version.
 */
const { directory, remove } = await temporary();
const shop = join(directory, 'shop');
const LATER = '99.0.0';

/** The commands in the `console` blocks of a document, in their order. */
const commandsOf = (document: string): DocumentCommand[] =>
  [...document.matchAll(/^```console\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((text) => {
        const [, command = '', output = ''] = /^((?:.*[\\|]\n)*.*)\n([\s\S]*)$/.exec(text) ?? [];
        return { command, output: output.trim() };
      }),
  );

/** The variables of `npm run` describe this repository, and the data of a service belongs into its folder. */
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:npm_|DATA_DIR$)/i.test(name))),
  CDK_DISABLE_CLI_TELEMETRY: 'true',
};

/** Runs a command line to its end. Returns its stdout. */
function line(text: string, cwd = shop): Promise<string> {
  const [program = '', ...args] = text.split(' ');
  return succeed(program, args, `${text} failed`, { cwd, env });
}

/** The files of the service with a digest of each, without those that npm writes and without results of commands. */
const files = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    globSync('**/*', { cwd: shop, exclude: ['node_modules', 'cdk.out', 'package*.json'] })
      .filter((path) => statSync(join(shop, path)).isFile())
      .sort()
      .map((path) => [
        path,
        createHash('sha256')
          .update(readFileSync(join(shop, path)))
          .digest('hex'),
      ]),
  );

async function pack(version: string): Promise<string> {
  await line(`npm run --silent pack -- --out ${directory} --version ${version}`, PACKAGE);
  return join(directory, `resource-api-${version}.tgz`);
}

/** Starts the service with `npm start` and sends it requests. */
async function serve(send: (url: string) => Promise<void>): Promise<void> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const service = await running({
    name: 'npm start',
    command: 'npm',
    args: ['start'],
    cwd: shop,
    env: { ...env, PORT: String(port), DATA_DIR: join(directory, 'data') },
    url: `${url}/health`,
    isApart: true,
  });
  try {
    await send(url);
  } finally {
    await service.stop();
  }
}

const widget = (values: object) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(values),
});

/** The names of all widgets, best rating first. */
async function namesAt(url: string): Promise<readonly string[]> {
  const response = await fetch(`${url}/widgets?sort=-rating`);
  const list: { readonly items: readonly { readonly name: string }[] } = JSON.parse(await response.text());
  return list.items.map(({ name }) => name);
}

let written: ReturnType<typeof files> = {};

/** The blocks of the guide to resources, in their order. */
const guide = readFileSync(join(PACKAGE, 'docs/resources.md'), 'utf8');
const blocks = [...guide.matchAll(/^```(ts|sh|console)\n([\s\S]*?)^```$/gm)].map(
  ([block, kind = '', text = '']) => ({
    block,
    kind,
    text,
  }),
);

/** Writes the file that a block shows: its first line is the path. */
function writeBlock(text: string): void {
  const [, path = '', rest = ''] = /^\/\/ (\S+)\n([\s\S]*)$/.exec(text) ?? [];
  writeFileSync(join(shop, path), rest);
}

/** Shell commands of the guide. */
const shell = (text: string): Promise<string> =>
  succeed('bash', ['-ec', text], `${text} failed`, { cwd: shop, env });

await runParts([
  {
    name: 'new',
    about: 'a service in an empty folder',
    async run(check) {
      mkdirSync(shop);
      await check('npm installs the package', async () => {
        const tarball = await pack('0.1.0');
        await line('npm init -y');
        await line(`npm install ${tarball}`);
      });
      await check('init writes at most ten files, and replaces none', async () => {
        await line('npx resource-api init');
        written = files();
        strictEqual(Object.keys(written).length + 2 <= 10, true, Object.keys(written).join());
        match(await line('npx resource-api init'), /^(?:kept .*\n)+(?:This machine .*\n)?npm start .*\n$/);
        deepStrictEqual(files(), written);
      });
      await check('npm start serves the widgets', () =>
        serve(async (url) => {
          const created = await fetch(`${url}/widgets`, widget({ name: 'Lamp', rating: 5 }));
          strictEqual(created.status, 201);
          strictEqual((await fetch(`${url}/widgets`, widget({ rating: 5 }))).status, 400);
          deepStrictEqual(await namesAt(url), ['Lamp']);
          for (const path of ['/', '/docs']) strictEqual((await fetch(url + path)).status, 200);
          match(await (await fetch(`${url}/openapi.json`)).text(), /"title":"shop"/);
        }),
      );
      await check('npm start serves a changed definition', () =>
        serve(async (url) => {
          const file = join(shop, 'functions/widgets.ts');
          const before = readFileSync(file, 'utf8');
          /** Writes the file, and waits until the description has this limit of the rating. Returns the time in ms. */
          const changed = async (text: string, limit: number): Promise<number> => {
            writeFileSync(file, text);
            const begin = Date.now();
            const described = async () =>
              (await fetch(`${url}/openapi.json`, { signal: AbortSignal.timeout(2000) })).text();
            while (!(await described().catch(() => '')).includes(`"maximum":${limit},`)) {
              strictEqual(Date.now() - begin < 20_000, true, 'The service has not begun anew');
              await new Promise((done) => setTimeout(done, 50));
            }
            return Date.now() - begin;
          };
          console.log(`    ${await changed(before.replace('maximum: 5', 'maximum: 3'), 3)} ms`);
          await changed(before, 5);
        }),
      );
      await check('the smoke test proves the service', () =>
        serve(async (url) => {
          match(await line(`npx resource-api smoke ${url}`), / 0 wrong, /);
        }),
      );
      await check('a command computes what the service costs', async () =>
        match(await line('npx resource-api cost'), /^GET \/widgets\/\{id\} +4\.\d\d$/m),
      );
      await check('npm test passes', () => line('npm test'));
      await check('cdk synth writes the template', async () => {
        await line('npx cdk synth -q');
        strictEqual(existsSync(join(shop, 'cdk.out/shop.template.json')), true);
      });
      await check('a service whose package.json denies files and pages has none', async () => {
        await line('npm pkg set resource-api.files=false resource-api.pages=false --json');
        await serve(async (url) => {
          for (const path of ['/files', '/sign-in']) strictEqual((await fetch(url + path)).status, 404);
        });
        await line('npm pkg delete resource-api');
      });
      await check('check finds nothing wrong', async () =>
        match(await line('npx resource-api check'), /Ready to deploy/),
      );
    },
  },
  {
    name: 'front',
    about: 'a front end with the client alone, and the weights',
    async run(check) {
      const front = join(directory, 'front');
      mkdirSync(front);
      await check(
        'the types of the service suffice for the client without the package of the service',
        async () => {
          await line('npm init -y', front);
          await line(`npm install ${join(directory, 'resource-api-client-0.1.0.tgz')}`, front);
          await line(`npx resource-api types ${join(front, 'types.d.ts')}`);
          const ending = (right: string) =>
            `import { client } from 'resource-api-client';
import type { Service } from './types.d.ts';
const lamp = await client<Service>('').widgets.get(1);
export const rating: ${right} | undefined = lamp.rating;\n`;
          const tsc = `${join(shop, 'node_modules/.bin/tsc')} --noEmit --module nodenext --target es2023 --lib es2024,dom front.mts`;
          writeFileSync(join(front, 'front.mts'), ending('number'));
          await line(tsc, front);
          writeFileSync(join(front, 'front.mts'), ending('string'));
          await rejects(line(tsc, front), /Type 'number' is not assignable to type 'string'/);
        },
      );
      await check('the client has at most 50 KB, and is one package', async () => {
        const kilobytes = Number(
          /^\d+/.exec(await line('du -sk --apparent-size node_modules/resource-api-client', front))?.[0],
        );
        strictEqual(kilobytes <= 50, true, `${kilobytes} KB`);
        deepStrictEqual(globSync('node_modules/*', { cwd: front }), ['node_modules/resource-api-client']);
      });
      await check('a service has at most 320 MB without a Node of its own', async () => {
        const megabytes = Number(/^\d+/.exec(await line('du -sm --exclude=node-linux-* node_modules'))?.[0]);
        console.log(`    ${megabytes} MB`);
        strictEqual(megabytes > 100 && megabytes <= 320, true, `${megabytes} MB`);
      });
    },
  },
  {
    name: 'library',
    about: 'examples/library, in a folder of its own',
    async run(check) {
      const library = join(directory, 'library');
      await check('has its files in a new service with the same packages', async () => {
        mkdirSync(library);
        await line(`cp -al ${join(shop, 'node_modules')} ${library}`);
        await line('npm init -y', library);
        await line('npx resource-api init', library);
        rmSync(join(library, 'functions'), { recursive: true });
        rmSync(join(library, 'test'), { recursive: true });
        cpSync(join(library, 'node_modules/resource-api/examples/library'), library, { recursive: true });
      });
      await check('npm test passes', async () => match(await line('npm test', library), /pass [1-9]/));
      await check('the compiler finds nothing wrong', () => line('npx tsc -p .', library));
      await check('a command computes what the library costs', async () =>
        match(await line('npx resource-api cost', library), /^POST \/copies\/\{id\}\/retire +\d+\.\d\d$/m),
      );
      await check('cdk synth writes the template', async () => {
        await line('npx cdk synth -q', library);
        strictEqual(existsSync(join(library, 'cdk.out/library.template.json')), true);
      });
    },
  },
  {
    name: 'guide',
    about: 'docs/resources.md, in the same folder',
    async run(check) {
      for (const { block, kind, text } of blocks) {
        const [first = ''] = text.split('\n');
        if (kind === 'ts') writeBlock(text);
        if (kind === 'sh') await check(first, () => shell(text));
        if (kind === 'console')
          await check(`${first.slice(0, 60)} …`, () =>
            serve(async (url) => deepStrictEqual(await differences(commandsOf(block), url, directory), [])),
          );
      }
      written = files();
    },
  },
  {
    name: 'later',
    about: 'a later version',
    async run(check) {
      await check('npm installs the later package', async () => {
        await line(`npm install ${await pack(LATER)}`);
        const path = join(shop, 'node_modules/resource-api/package.json');
        strictEqual(JSON.parse(readFileSync(path, 'utf8')).version, LATER);
      });
      await check('npm start serves the widget of the version before', () =>
        serve(async (url) => {
          deepStrictEqual(await namesAt(url), ['Lamp']);
        }),
      );
      await check('npm test passes', () => line('npm test'));
      await check('cdk synth writes the template', () => line('npx cdk synth -q'));
      await check('no file of the service has changed', async () => {
        match(await line('npx resource-api init'), /^(?:kept .*\n)+(?:This machine .*\n)?npm start .*\n$/);
        deepStrictEqual(files(), written);
      });
    },
  },
]);
await remove();
