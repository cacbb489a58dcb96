import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { App, type Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { registry } from '../../functions/registry.ts';
import { bundle } from '../../infra/bundle/bundle.ts';
import { type Options, readContext } from '../../infra/options.ts';
import { Edge } from '../../infra/stacks/edge.ts';
import { Service } from '../../infra/stacks/service.ts';

/** A resource of the template, as loosely typed as CloudFormation is. */
export interface Part {
  readonly id: string;
  readonly Type: string;
  readonly Properties: Record<string, unknown>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly Metadata?: Record<string, unknown>;
}

/** The synthesized template and ways to look at it. */
export interface Synthesis {
  readonly json: Record<string, unknown>;
  readonly text: string;
  /** The files of all assets: `asset.{hash}/{path}`. */
  readonly assets: readonly string[];
  /** The warnings of a synthesis. */
  readonly warnings: readonly string[];
  parts(type: string): Part[];
  /** CDK's own resources, which put the site into the bucket. No other query returns them. */
  brought(type: string): Part[];
  /** The only resource of its type. */
  one(type: string): Part;
  /** The bucket with the data of users, and the bucket with the published site. */
  bucket(which: 'objects' | 'published'): Part;
  byId(id: string): Part;
  /** The function of a resource. */
  functionOf(resource: string): Part;
}

/** The context that `cdk` gives every synthesis. */
const { context: defaults } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../cdk.json'), 'utf8'),
) as { context: Record<string, unknown> };

// `cdk synth` checks the template against CloudFormation's rules. Here that would double the time.
process.env.CDK_VALIDATION = 'false';

/** Each function is bundled once for all templates of a test file. */
const bundles = mkdtempSync(join(tmpdir(), 'bundles-'));
afterAll(() => rmSync(bundles, { recursive: true }));
const bundled = new Map<string, string>();

function bundleOf(name: string): string {
  const directory = bundled.get(name) ?? bundle(name, bundles).directory;
  bundled.set(name, directory);
  return directory;
}

/** Synthesizes the service as `cdk synth -c name=value` does, in a temporary directory. */
export const synthesize = (context: Record<string, string> = {}): Synthesis =>
  synthesized(context, (service) => service);

/** Synthesizes its edge in the same way. */
export const synthesizeEdge = (context: Record<string, string> = {}): Synthesis =>
  synthesized({ ...context, edge: 'true' }, (service, options) => {
    const app = service.node.scope as App;
    return new Edge(app, `${options.name}-edge`, { service, options });
  });

function synthesized(
  context: Record<string, string>,
  looked: (service: Service, options: Options) => Stack,
): Synthesis {
  const directory = mkdtempSync(join(tmpdir(), 'synthesis-'));
  try {
    const app = new App({ context: { ...defaults, ...context }, outdir: join(directory, 'out') });
    const options = readContext(app.node);
    const service = new Service(app, options.name, {
      registry,
      options,
      build: { bundleOf, published: join(directory, 'published') },
    });
    const stack = looked(service, options);
    const json = Template.fromStack(stack).toJSON();
    const warnings = Annotations.fromStack(stack).findWarning('*', Match.anyValue());
    const files = readdirSync(app.outdir, { recursive: true, encoding: 'utf8' });
    return look(
      json,
      files.filter((file) => file.startsWith('asset.')),
      warnings.map(({ entry }) => String(entry.data)),
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function look(
  json: Record<string, unknown>,
  assets: readonly string[],
  warnings: readonly string[],
): Synthesis {
  const all = Object.entries(json.Resources as Record<string, Omit<Part, 'id'>>).map(([id, part]) => ({
    id,
    ...part,
  }));
  const only = (found: readonly Part[], what: string): Part => {
    if (found.length !== 1) throw new Error(`There are ${found.length} of ${what}`);
    return found[0] as Part;
  };
  const isBrought = ({ id }: Part) => id.startsWith('CustomCDKBucketDeployment');
  const ofType = (type: string) => all.filter(({ Type }) => Type === type);
  const parts = (type: string) => ofType(type).filter((part) => !isBrought(part));
  return {
    json,
    text: JSON.stringify(json),
    assets,
    warnings,
    parts,
    brought: (type) => ofType(type).filter(isBrought),
    one: (type) => only(parts(type), type),
    bucket: (which) =>
      only(
        parts('AWS::S3::Bucket').filter(({ id }) => id.startsWith(which)),
        which,
      ),
    byId: (id) =>
      only(
        all.filter((part) => part.id === id),
        id,
      ),
    functionOf: (resource) =>
      only(
        parts('AWS::Lambda::Function').filter(({ Metadata }) => Metadata?.SamResourceId === resource),
        resource,
      ),
  };
}

/** The logical id of the function that an alias or a reference names. */
export function functionBehind(service: Synthesis, id: string): string {
  const { Type, Properties } = service.byId(id);
  return Type === 'AWS::Lambda::Alias' ? target(Properties.FunctionName) : id;
}

/** The logical id in a reference. */
export function target(reference: unknown): string {
  const { Ref, 'Fn::GetAtt': attribute } = reference as { Ref?: string; 'Fn::GetAtt'?: [string, string] };
  return Ref ?? attribute?.[0] ?? '';
}
