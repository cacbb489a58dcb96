import { join } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { registry } from '../service/registry.ts';
import { refuseWrongFacts } from '../shared/resource/wrong-facts/resources.ts';
import { BUILD, bundleAll, functionsOf } from './bundle/bundle.ts';
import { ENVIRONMENTS } from './environments/environments.ts';
import { acknowledge, acknowledgeEdge, acknowledgePipeline } from './nag-exceptions.ts';
import { readContext } from './read-context.ts';
import { Edge } from './stacks/edge.ts';
import { EdgeFirewall } from './stacks/edge-firewall.ts';
import { Pipeline } from './stacks/pipeline.ts';
import { Service } from './stacks/service.ts';

/**
 * The app of `cdk synth` and `cdk deploy`. The service is one stack, the optional edge a second one, and its firewall a
 * third one. cdk-nag checks all against the AWS Solutions rules.
 */
refuseWrongFacts(registry);
const app = new App();
const options = readContext(app.node, ENVIRONMENTS);
await bundleAll(BUILD, functionsOf(registry));
const service = new Service(app, options.name, {
  registry,
  options,
  build: { bundleOf: (name) => join(BUILD, name), published: join(BUILD, 'published') },
});
const firewall =
  options.edge && options.waf
    ? new EdgeFirewall(app, `${options.name}-edge-firewall`, { options })
    : undefined;
const edge = options.edge ? new Edge(app, `${options.name}-edge`, { service, firewall, options }) : undefined;
const { repository } = options;
if (repository !== undefined)
  acknowledgePipeline(new Pipeline(app, `${options.name}-pipeline`, { options: { ...options, repository } }));
if (!options.local) {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  acknowledge(service, options);
  if (edge) acknowledgeEdge(edge);
}
app.synth();
