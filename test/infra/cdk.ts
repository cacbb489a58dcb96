import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { registry } from '../../functions/registry.ts';
import { bundle } from '../../infra/bundle/bundle.ts';
import { ENVIRONMENTS } from '../../infra/environments/environments.ts';
import { readContext } from '../../infra/read-context.ts';
import { Edge } from '../../infra/stacks/edge.ts';
import { EdgeFirewall } from '../../infra/stacks/edge-firewall.ts';
import { Pipeline } from '../../infra/stacks/pipeline.ts';
import { Service } from '../../infra/stacks/service.ts';

/** The output of the CDK, as JSON. `assets`: the files of all assets, `asset.{hash}/{path}`. */
export interface Synthesized {
  readonly json: Record<string, unknown>;
  readonly assets: readonly string[];
  readonly warnings: readonly string[];
}

/** The context that `cdk` gives every synthesis. */
const { context: defaults } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../cdk.json'), 'utf8'),
) as { context: Record<string, unknown> };

// `cdk synth` checks the template against CloudFormation's rules. Here that would double the time.
process.env.CDK_VALIDATION = 'false';

/** The directory of each bundled function. A process of jest bundles it once. */
const bundled = new Map<string, string>();

function bundleOf(name: string, directory: string): string {
  const bundles = join(directory, `bundles-${process.pid}`);
  const found = bundled.get(name) ?? bundle(name, bundles).directory;
  bundled.set(name, found);
  return found;
}

/**
 * Synthesizes the service, and one of its stacks. `directory` receives the bundles.
 *
 * @throws Error when an option is invalid
 */
export function synthesizeStack(
  which: 'service' | 'edge' | 'edge-firewall' | 'pipeline',
  context: Record<string, string>,
  directory: string,
): Synthesized {
  const output = mkdtempSync(join(tmpdir(), 'synthesis-'));
  try {
    const app = new App({ context: { ...defaults, ...context }, outdir: join(output, 'out') });
    const options = readContext(app.node, ENVIRONMENTS);
    const service = new Service(app, options.name, {
      registry,
      options,
      build: { bundleOf: (name) => bundleOf(name, directory), published: join(output, 'published') },
    });
    const firewall =
      options.edge && options.waf
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
    const json = Template.fromStack(stack).toJSON();
    const warnings = Annotations.fromStack(stack).findWarning('*', Match.anyValue());
    const files = readdirSync(app.outdir, { recursive: true, encoding: 'utf8' });
    return {
      json,
      assets: files.filter((file) => file.startsWith('asset.')),
      warnings: warnings.map(({ entry }) => String(entry.data)),
    };
  } finally {
    rmSync(output, { recursive: true });
  }
}
