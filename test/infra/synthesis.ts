import { synthesisUrl } from '../support/service/shared.ts';
import type { Request, Synthesized } from './cdk.ts';
import type { ServiceName } from './services.ts';

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
 * Synthesizes the service as `cdk synth -c name=value` does, or another service.
 *
 * One process synthesizes for each run of jest, each context once.
 *
 * @throws Error when an option is invalid
 */
export const synthesize = (
  context: Record<string, string> = {},
  service: ServiceName = 'own',
  more: Pick<Request, 'variables' | 'judged' | 'renamed'> = {},
): Promise<Synthesis> => shared('service', context, service, more);

/** Synthesizes the edge of the service in the same way. */
export const synthesizeEdge = (context: Record<string, string> = {}): Promise<Synthesis> =>
  shared('edge', { ...context, edge: 'true' });

/** Synthesizes the firewall of the edge in the same way. */
export const synthesizeEdgeFirewall = (context: Record<string, string> = {}): Promise<Synthesis> =>
  shared('edge-firewall', { ...context, edge: 'true', waf: 'count' });

/** Synthesizes the pipeline of a repository in the same way. */
export const synthesizePipeline = (
  repository: string,
  context: Record<string, string> = {},
): Promise<Synthesis> => shared('pipeline', { repository, ...context });

async function shared(
  stack: Request['stack'],
  context: Request['context'],
  service: ServiceName = 'own',
  more: Pick<Request, 'variables' | 'judged' | 'renamed'> = {},
): Promise<Synthesis> {
  const request: Request = { stack, context, service, ...more };
  const response = await fetch(await synthesisUrl(), { method: 'POST', body: JSON.stringify(request) });
  const body = await response.text();
  if (!response.ok) throw new Error(body);
  return look(JSON.parse(body) as Synthesized);
}

/** Ways to look at a synthesis. */
function look({ json, sizes, assets, warnings }: Synthesized): Synthesis {
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
