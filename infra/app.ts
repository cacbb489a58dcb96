import { App, ResourceApi } from './cdk.ts';
import { ENVIRONMENTS } from './environments/environments.ts';

/** The app of `cdk synth` and `cdk deploy` in this repository. */
const app = new App();
new ResourceApi(app, 'resource-api', { environments: ENVIRONMENTS });
app.synth();
