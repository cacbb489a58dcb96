import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Annotations, type AppProps, App as CdkApp, type Stack, Stage, Validations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { refuseFaults } from '../service/faults.ts';
import { BUILD, moduleAt } from '../service/folders.ts';
import { registry } from '../service/registry.ts';
import { schedules } from '../service/schedules.ts';
import { writeSite } from './constructs/stores/site.ts';
import { deployedBy, fixedCosts } from './cost/fixed-costs.ts';
import { FLAGS } from './flags.ts';
import { acknowledge, acknowledgeEdge, acknowledgePipeline, OwnStacks } from './nag-exceptions.ts';
import { type ResourceApiProps, readContext } from './read-context.ts';
import { Edge } from './stacks/edge.ts';
import { EdgeFirewall } from './stacks/edge-firewall.ts';
import { Pipeline } from './stacks/pipeline.ts';
import { Service } from './stacks/service.ts';
import { RELEASED, refuseUnreadable } from './stored.ts';

/** An app of the CDK with the feature flags of this project. The context of `cdk.json` and of `-c` replaces them. */
export class App extends CdkApp {
  constructor(props: AppProps = {}) {
    super({ ...props, context: { ...FLAGS, ...props.context } });
  }
}

/**
 * A deployed service: the stack with all resources of the service, and more stacks if its options want an edge, a
 * firewall or a pipeline. It bundles the functions, and checks its own stacks against the rules of AWS
 * Solutions.
 *
 * ```ts
 * new ResourceApi(new App(), 'shop', { alarmEmail: 'shop@example.com' });
 * ```
 *
 * `cdk synth -c env=production` adds the options of that environment, and `-c name=value` replaces one. docs/deploy.md
 * lists the options.
 *
 * @throws Error with a sentence, if a definition of a resource or an option is wrong
 */
export class ResourceApi extends Service {
  /** `name`: the name of the stack, the API and the event bus, unless the options have another one. */
  constructor(scope: Construct, name: string, given: ResourceApiProps = {}) {
    refuseFaults();
    refuseUnreadable(registry, (name) => RELEASED[name]);
    const options = readContext(scope.node, { name, ...given });
    bundle();
    const published = join(BUILD, 'published');
    if (!options.local) writeSite(published, registry, options);
    super(scope, options.name, {
      registry,
      schedules,
      options,
      build: { bundleOf: (one) => join(BUILD, one), published },
    });
    const { repository } = options;
    if (options.local) return;
    const costs = Object.values(fixedCosts(deployedBy(options)));
    const idle = costs.reduce((sum, one) => sum + one, 0).toFixed(2);
    Annotations.of(this).addInfoV2(
      'resource-api:cost',
      `Without requests, this deployment costs about $ ${idle} a month.`,
    );
    const judged: Stack[] = [this];
    Validations.of(Stage.of(this) ?? this).addPlugins(new OwnStacks(judged));
    acknowledge(this, options);
    if (options.edge) {
      const firewall =
        options.waf !== 'none'
          ? new EdgeFirewall(scope, `${options.name}-edge-firewall`, { options })
          : undefined;
      const edge = new Edge(scope, `${options.name}-edge`, { service: this, firewall, options });
      acknowledgeEdge(edge);
      judged.push(edge, ...(firewall ? [firewall] : []));
    }
    if (repository === undefined) return;
    const pipeline = new Pipeline(scope, `${options.name}-pipeline`, { options: { ...options, repository } });
    acknowledgePipeline(pipeline);
    judged.push(pipeline);
  }
}

/** Bundles all functions in another process, because rolldown works only asynchronously. */
function bundle(): void {
  const { status } = spawnSync(process.execPath, [moduleAt('infra/bundle/main')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('The functions cannot be bundled: see the message above.');
}
