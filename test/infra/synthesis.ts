import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Synthesized } from './cdk.ts';

/** A resource of the template, as loosely typed as CloudFormation is. */
export interface Part {
  readonly id: string;
  readonly Type: string;
  readonly Properties: Record<string, unknown>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly DependsOn?: string | readonly string[];
  readonly Metadata?: Record<string, unknown>;
}

/** The synthesized template and ways to look at it. */
export interface Synthesis {
  readonly json: Record<string, unknown>;
  readonly text: string;
  /** The numbers of resources and bytes of the stack itself, and of each of its nested stacks. */
  readonly sizes: Synthesized['sizes'];
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

/**
 * Synthesizes the service as `cdk synth -c name=value` does.
 *
 * Each run of jest synthesizes a context once: all test files share the template.
 *
 * @throws Error when an option is invalid
 */
export const synthesize = (context: Record<string, string> = {}): Promise<Synthesis> =>
  shared('service', context);

/** Synthesizes the edge of the service in the same way. */
export const synthesizeEdge = (context: Record<string, string> = {}): Promise<Synthesis> =>
  shared('edge', { ...context, edge: 'true' });

/** Synthesizes the firewall of the edge in the same way. */
export const synthesizeEdgeFirewall = (context: Record<string, string> = {}): Promise<Synthesis> =>
  shared('edge-firewall', { ...context, edge: 'true', waf: 'true' });

/** Synthesizes the pipeline of a repository in the same way. */
export const synthesizePipeline = (
  repository: string,
  context: Record<string, string> = {},
): Promise<Synthesis> => shared('pipeline', { repository, ...context });

async function shared(
  stack: 'service' | 'edge' | 'edge-firewall' | 'pipeline',
  context: Record<string, string>,
): Promise<Synthesis> {
  const directory = process.env.TEST_RUN;
  if (directory === undefined) throw new Error('TEST_RUN is missing: start the test by npm test');
  const name = createHash('sha256')
    .update(JSON.stringify([stack, context]))
    .digest('hex');
  const path = join(directory, `${name}.json`);
  if (!existsSync(path)) {
    // The CDK takes seconds to load, so only a synthesis loads it.
    const { synthesizeStack } = await import('./cdk.ts');
    const temporary = join(directory, randomUUID());
    writeFileSync(temporary, JSON.stringify(await synthesizeStack(stack, context)));
    renameSync(temporary, path);
  }
  return look(JSON.parse(readFileSync(path, 'utf8')) as Synthesized);
}

/** Ways to look at a synthesis. */
export function look({ json, sizes, assets, warnings }: Synthesized): Synthesis {
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
    sizes,
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
