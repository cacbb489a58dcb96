import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { packageIn } from '../../../tools/packages.ts';
import { pythonProgram } from '../../python.ts';
import { pathOf } from '../tools.ts';

const FOLDER = import.meta.dirname;
const SUITES = join(FOLDER, '..');
const TYPES = join(SUITES, '../../node_modules/@types');

/** Runs a program in the folder of a client. @throws with its output if it fails */
export type Run = (program: string, args: readonly string[]) => Promise<string>;

/** A client in a folder of its own. `document`: the path of the description. `jar`: openapi-generator. */
export interface Place {
  readonly cwd: string;
  readonly document: string;
  readonly jar: string;
  readonly run: Run;
}

/** The programs with the steps: for this description, that of the former release, and that of a service of the package. */
interface Programs {
  readonly present: string;
  readonly former?: string;
  readonly ofPackage?: string;
}

/** A generator: how it makes a client, how the client compiles, and how its program walks the steps. */
export interface Generator {
  readonly name: string;
  readonly programs: Programs;
  generate(place: Place): Promise<unknown>;
  compile(place: Place): Promise<unknown>;
  /** Adds a program with the steps, before the client compiles. */
  addProgram(place: Place, program: string): Promise<void>;
  /** Returns what the program prints for the service at this address. */
  walk(place: Place, url: string): Promise<string>;
  /** Steps that the generator cannot do by any document, with its issue. */
  readonly impossible?: Readonly<Record<number, string>>;
}

/** The compiler options of a strict program for browsers and Node. */
const STRICT = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    target: 'ES2022',
    module: 'ESNext',
    moduleResolution: 'bundler',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    types: ['node'],
    typeRoots: [TYPES],
    skipLibCheck: true,
  },
  include: ['*.ts', 'api'],
};

const npmProgram = (name: string): string => packageIn(SUITES, '.bin', name);

const typescript = (
  name: string,
  programs: Programs,
  generate: (place: Place) => readonly [program: string, args: readonly string[]],
): Generator => ({
  name,
  programs,
  generate: async (place) => {
    const { cwd, run } = place;
    await mkdir(join(cwd, 'api'), { recursive: true });
    await writeFile(join(cwd, 'tsconfig.json'), JSON.stringify(STRICT));
    await writeFile(join(cwd, 'package.json'), '{"type":"module"}');
    await symlink(packageIn(SUITES), join(cwd, 'node_modules'));
    await run(...generate(place));
  },
  addProgram: async ({ cwd }, program) => {
    await cp(join(FOLDER, program), join(cwd, 'walk.ts'));
    await cp(join(FOLDER, 'report.ts'), join(cwd, 'report.ts'));
  },
  compile: ({ run }) => run(npmProgram('tsc'), ['-p', '.']),
  walk: async ({ cwd, run }, url) => {
    const build = await rolldown({ input: join(cwd, 'walk.ts'), platform: 'node', logLevel: 'silent' });
    await build.write({ file: join(cwd, 'walk.mjs'), format: 'esm' });
    return run(process.execPath, ['--disable-warning=DEP0169', 'walk.mjs', url]);
  },
});

/** The arguments of openapi-generator, which makes a client in a folder. */
const generated = ({ jar, document }: Place, language: string, out: string, more: readonly string[] = []) =>
  [pathOf('java'), ['-jar', jar, 'generate', '-i', document, '-g', language, '-o', out, ...more]] as const;

const python = pythonProgram(FOLDER, 'python');

/** A client in Python. `module`: what a program imports. */
const inPython = (
  name: string,
  programs: Programs,
  module: string,
  generate: (place: Place) => readonly [program: string, args: readonly string[]],
): Generator => ({
  name,
  programs,
  generate: (place) => place.run(...generate(place)),
  addProgram: ({ cwd }, program) => cp(join(FOLDER, program), join(cwd, 'walk.py')),
  compile: async ({ run }) => {
    await run(python, ['-m', 'compileall', '-q', module]);
    await run(python, [
      '-c',
      `import pkgutil, ${module} as made
for one in pkgutil.walk_packages(made.__path__, made.__name__ + "."): __import__(one.name)`,
    ]);
  },
  walk: ({ run }, url) => run(python, ['walk.py', url]),
});

const MODULE = `module clients

go 1.24

require (
\tgithub.com/oapi-codegen/nullable v1.2.0
\tgithub.com/oapi-codegen/runtime v1.9.0
)
`;

const inGo = (name: string, programs: Programs, generate: Generator['generate']): Generator => ({
  name,
  programs,
  generate,
  addProgram: async ({ cwd }, program) => {
    await mkdir(join(cwd, 'walk'));
    await cp(join(FOLDER, program), join(cwd, 'walk/main.go'));
  },
  compile: ({ run }) => run(pathOf('go'), ['build', '-mod=mod', './...']),
  walk: ({ run }, url) => run(pathOf('go'), ['run', '-mod=mod', './walk', url]),
});

const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';

/** The generators under test, each in one version. */
export const GENERATORS: readonly Generator[] = [
  typescript(
    'openapi-typescript with openapi-fetch',
    {
      present: 'openapi-typescript.ts',
      former: 'former-openapi-typescript.ts',
      ofPackage: 'package-openapi-typescript.ts',
    },
    ({ document }) => [npmProgram('openapi-typescript'), [document, '-o', 'api/api.d.ts']],
  ),
  typescript('@hey-api/openapi-ts', { present: 'hey-api.ts' }, ({ document }) => [
    npmProgram('openapi-ts'),
    ['-i', document, '-o', 'api'],
  ]),
  typescript('orval', { present: 'orval.ts' }, ({ document }) => [
    npmProgram('orval'),
    ['--input', document, '--output', 'api/api.ts', '--client', 'fetch'],
  ]),
  typescript('openapi-generator for typescript-axios', { present: 'typescript-axios.ts' }, (place) =>
    generated(place, 'typescript-axios', 'api'),
  ),
  inPython(
    'openapi-generator for Python',
    {
      present: 'openapi-generator.py',
      former: 'former-openapi-generator.py',
      ofPackage: 'package-openapi-generator.py',
    },
    'openapi_client',
    (place) => generated(place, 'python', '.'),
  ),
  inPython('openapi-python-client', { present: 'openapi-python-client.py' }, 'api', ({ document }) => [
    pythonProgram(FOLDER, 'openapi-python-client'),
    [
      ...['generate', '--path', document, '--output-path', 'api', '--meta', 'none'],
      ...['--config', join(FOLDER, 'openapi-python-client.yaml')],
    ],
  ]),
  inGo('openapi-generator for Go', { present: 'openapi-generator.go' }, (place) =>
    place.run(...generated(place, 'go', '.')),
  ),
  inGo('oapi-codegen', { present: 'oapi-codegen.go' }, async ({ cwd, document, run }) => {
    await mkdir(join(cwd, 'api'));
    await writeFile(join(cwd, 'go.mod'), MODULE);
    const kinds = ['-generate', 'types,client', '-package', 'api', '-o', 'api/api.go', document];
    await run(pathOf('go'), ['run', OAPI_CODEGEN, ...kinds]);
  }),
  {
    name: 'openapi-generator for Java',
    programs: { present: 'OpenapiGenerator.java' },
    // Without this property, the generator leaves out models of forms, although operations use them.
    generate: (place) =>
      place.run(
        ...generated(place, 'java', '.', [
          ...['--library', 'native', '--global-property', 'skipFormModel=false'],
        ]),
      ),
    addProgram: ({ cwd }, program) =>
      cp(join(FOLDER, program), join(cwd, 'src/main/java/OpenapiGenerator.java')),
    compile: ({ run }) =>
      run(pathOf('mvn'), [
        ...[
          '-q',
          '-B',
          '-DskipTests',
          'compile',
          'dependency:build-classpath',
          '-Dmdep.outputFile=classes.txt',
        ],
      ]),
    walk: async ({ cwd, run }, url) => {
      const classes = await readFile(join(cwd, 'classes.txt'), 'utf8');
      return run(pathOf('java'), ['-cp', `target/classes:${classes.trim()}`, 'OpenapiGenerator', url]);
    },
    // It writes a file as the JSON text of its path.
    impossible: { 5: 'https://github.com/OpenAPITools/openapi-generator/issues/17801' },
  },
];
