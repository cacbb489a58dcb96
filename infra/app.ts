import { App } from 'aws-cdk-lib';
import { registry } from '../functions/registry.ts';
import { readContext } from './options.ts';
import { Service } from './stacks/service.ts';

/** `cdk synth`, `cdk deploy`: the whole service is one stack. */
const app = new App();
const options = readContext(app.node);
new Service(app, options.name, { registry, options });
app.synth();
