import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, CfnOutput, NestedStack, Stack, Validations } from 'aws-cdk-lib';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { ENVIRONMENTS } from '../../infra/environments/environments.ts';
import { FLAGS } from '../../infra/flags.ts';
import { acknowledge, OwnStacks } from '../../infra/nag-exceptions.ts';
import type { Options } from '../../infra/options.ts';
import { readContext } from '../../infra/read-context.ts';
import { Edge } from '../../infra/stacks/edge.ts';
import { EdgeFirewall } from '../../infra/stacks/edge-firewall.ts';
import { Pipeline } from '../../infra/stacks/pipeline.ts';
import { Service } from '../../infra/stacks/service.ts';
import { type FlatTemplate, flat } from '../support/flat-template.ts';
import { SCHEDULES, SERVICES, type ServiceName } from './services.ts';

/** A stack of a service, with values of the context. */
export interface Request {
  readonly stack: 'service' | 'edge' | 'edge-firewall' | 'pipeline';
  readonly context: Readonly<Record<string, string>>;
  readonly service: ServiceName;
  /** The values of variables that the code of authors needs. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The resource whose function gets another logical id. */
  readonly renamed?: string;
  /** True: a synthesis ends with an error if the rules of AWS Solutions find something in the stack. */
  readonly judged?: boolean;
}

/** The output of the CDK, as JSON. `assets`: the files of all assets, `asset.{hash}/{path}`. */
export interface Synthesized {
  /** The template. The resources of its nested stacks are in it. */
  readonly json: Record<string, unknown>;
  /** The numbers of resources and bytes of the stack itself, and of each of its nested stacks. */
  readonly sizes: readonly { readonly resources: number; readonly bytes: number }[];
  readonly assets: readonly string[];
  readonly warnings: readonly string[];
}

// `cdk synth` checks the template against CloudFormation's rules. Here that would double the time.
process.env.CDK_VALIDATION = 'false';

type Template = FlatTemplate & Record<string, unknown>;

/**
 * Synthesizes a service, and one of its stacks. Small files are in place of bundles and of the site.
 *
 * @throws Error when an option is invalid
 */
export async function synthesizeStack({
  stack: which,
  context,
  service: name,
  variables = {},
  renamed,
  judged = false,
}: Request): Promise<Synthesized> {
  const output = mkdtempSync(join(tmpdir(), 'synthesis-'));
  try {
    const app = new App({
      // Copies of the bundles would take a fifth of the time.
      context: { ...FLAGS, ...context, 'aws:cdk:disable-asset-staging': true },
      outdir: join(output, 'out'),
      treeMetadata: false,
      stackTraces: false,
    });
    const options = readContext(app.node, { environments: ENVIRONMENTS, variables });
    /** Small files in place of those that a deployment has. */
    const filesIn = (folder: string, files: readonly string[]): string => {
      const directory = join(output, folder);
      mkdirSync(directory, { recursive: true });
      for (const file of files) writeFileSync(join(directory, file), folder);
      return directory;
    };
    const service = new Service(app, options.name, {
      registry: SERVICES[name],
      schedules: SCHEDULES[name] ?? [],
      options,
      build: {
        bundleOf: (name) => filesIn(name, ['index.js', 'later.js']),
        published: filesIn('published', ['openapi.json']),
      },
    });
    const firewall =
      options.edge && options.waf !== 'none'
        ? new EdgeFirewall(app, `${options.name}-edge-firewall`, { options })
        : undefined;
    const stack = {
      service: () => service,
      edge: () => new Edge(app, `${options.name}-edge`, { service, firewall, options }),
      'edge-firewall': () => firewall as EdgeFirewall,
      pipeline: () =>
        new Pipeline(app, `${options.name}-pipeline`, {
          options: { ...options, repository: options.repository ?? '' },
        }),
    }[which]();
    const { defaultChild } = (renamed !== undefined && service.functions[renamed]?.node) || {};
    if (defaultChild instanceof CfnFunction) defaultChild.overrideLogicalId('Renamed');
    if (judged) judge(app, service, options);
    const assembly = app.synth();
    const { json, sizes } = whole(stack, assembly.directory);
    const { messages } = assembly.getStackArtifact(stack.artifactId);
    return {
      json,
      sizes,
      assets: readdirSync(assembly.directory)
        .filter((name) => name.endsWith('.assets.json'))
        .flatMap((name) => assetsOf(join(assembly.directory, name))),
      warnings: messages.filter(({ level }) => level === 'warning').map(({ entry }) => String(entry.data)),
    };
  } finally {
    rmSync(output, { recursive: true });
  }
}

/** Lets the rules of AWS Solutions judge a service, in an app with a stack that breaks them and uses what the service has. */
function judge(app: App, service: Service, options: Options): void {
  const beside = new Stack(app, 'beside');
  new Bucket(beside, 'open');
  const { api, eventBus, tables, functions, issuer } = service;
  const used = [
    api.restApiId,
    eventBus.eventBusArn,
    tables.alerts?.tableArn,
    functions['alerts-changes']?.functionArn,
    issuer,
  ];
  for (const [at, value] of used.entries()) new CfnOutput(beside, `used${at}`, { value: String(value) });
  acknowledge(service, options);
  Validations.of(app).addPlugins(new OwnStacks([service]));
}

/** The files of the directories that a manifest of assets names. The CDK has removed those of its own functions. */
function assetsOf(manifest: string): string[] {
  const { files } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    files: Record<string, { source: { path: string; packaging: string } }>;
  };
  return Object.entries(files).flatMap(([hash, { source }]) =>
    source.packaging === 'zip' && existsSync(source.path)
      ? readdirSync(source.path, { recursive: true, encoding: 'utf8' }).map((file) => `asset.${hash}/${file}`)
      : [],
  );
}

/** The template of a stack with the resources of its nested stacks, whose templates the CDK writes to files. */
function whole(stack: Stack, directory: string): Pick<Synthesized, 'json' | 'sizes'> {
  const templateOf = ({ templateFile }: Stack): Template =>
    JSON.parse(readFileSync(join(directory, templateFile), 'utf8'));
  const nested = new Map(
    stack.node
      .findAll()
      .filter((one): one is NestedStack => NestedStack.isNestedStack(one as Stack))
      .map((one) => [
        stack.resolve(one.nestedStackResource?.getAtt('Arn'))['Fn::GetAtt'][0] as string,
        templateOf(one),
      ]),
  );
  const own = templateOf(stack);
  return {
    json: flat(own, (id) => nested.get(id) ?? { Resources: {} }),
    sizes: [own, ...nested.values()].map((template) => ({
      resources: Object.keys(template.Resources).length,
      bytes: Buffer.byteLength(JSON.stringify(template)),
    })),
  };
}
