// Lets the Temporal SDK download its dev server into a folder: node download-temporal.mjs FOLDER VERSION
// It is a program of its own, because a download that hangs can only be stopped by ending its process.
import { TestWorkflowEnvironment } from '@temporalio/testing';

const [downloadDir, version] = process.argv.slice(2);
const executable = { type: 'cached-download', downloadDir, version: `v${version}` };
const environment = await TestWorkflowEnvironment.createLocal({ server: { executable } });
await environment.teardown();
