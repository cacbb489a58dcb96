import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { registry } from '../functions/registry.ts';
import { acknowledge, acknowledgeEdge } from './nag-exceptions.ts';
import { readContext } from './options.ts';
import { Edge } from './stacks/edge.ts';
import { Service } from './stacks/service.ts';

/**
 * The app of `cdk synth` and `cdk deploy`. The service is one stack, the optional edge a second one. cdk-nag checks
 * both against the AWS Solutions rules.
 */
const app = new App();
const options = readContext(app.node);
const service = new Service(app, options.name, { registry, options });
const edge = options.edge ? new Edge(app, `${options.name}-edge`, { service, options }) : undefined;
if (!options.local) {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  acknowledge(service, options);
  if (edge) acknowledgeEdge(edge);
}
app.synth();
