/**
 * Servers that play AWX, Rundeck, Jenkins and GitHub Actions, as their documents say: jobs that are started, listed,
 * followed and cancelled. A job ends when it is told to.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface PlayedJob {
  readonly id: number;
  /** The body of its start: the key stands in it. */
  readonly given: string;
  status: 'running' | 'done' | 'failed' | 'cancelled';
}

interface PlayedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
}

export interface JobServer {
  readonly url: string;
  readonly jobs: readonly PlayedJob[];
  readonly requests: readonly PlayedRequest[];
  /** The next answer to this method is this status, after the request was carried out. */
  failNext(method: string, status: number): void;
  stop(): Promise<void>;
}

interface Played {
  readonly url: string;
  readonly jobs: PlayedJob[];
  readonly body: string;
  readonly start: () => PlayedJob;
}

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** The answer to a request; undefined: 404. */
type Play = (request: string, played: Played) => Answer | undefined;

const jobOf = ({ jobs }: Played, match: RegExpExecArray | null): PlayedJob | undefined =>
  jobs.find(({ id }) => String(id) === match?.[1]);

const ok = (body: unknown, status = 200): Answer => ({ status, body });

const cancelled = (job: PlayedJob | undefined): Answer | undefined => {
  if (job === undefined) return undefined;
  if (job.status === 'running') job.status = 'cancelled';
  return { status: 202 };
};

const awxStatus = { running: 'running', done: 'successful', failed: 'failed', cancelled: 'canceled' } as const;

const playAwx: Play = (request, played) => {
  const shown = (job: PlayedJob) => ({
    ...{ id: job.id, type: 'job', status: awxStatus[job.status], job_explanation: '' },
    extra_vars: JSON.stringify((JSON.parse(job.given) as { extra_vars: object }).extra_vars),
  });
  if (request === 'POST /api/v2/job_templates/7/launch/') {
    const job = played.start();
    return ok({ job: job.id, ...shown(job) }, 201);
  }
  // AWX lets nobody search these: they may hold secrets.
  if (request.includes('extra_vars__')) return { status: 403 };
  if (request.startsWith('GET /api/v2/jobs/?job_template=7')) {
    return ok({ count: played.jobs.length, results: played.jobs.toReversed().map(shown) });
  }
  const cancel = /^POST \/api\/v2\/jobs\/(\d+)\/cancel\/$/.exec(request);
  if (cancel) return cancelled(jobOf(played, cancel));
  const job = jobOf(played, /^GET \/api\/v2\/jobs\/(\d+)\/$/.exec(request));
  return job && ok(shown(job));
};

const rundeckStatus = { running: 'running', done: 'succeeded', failed: 'failed', cancelled: 'aborted' } as const;

const playRundeck: Play = (request, played) => {
  const shown = (job: PlayedJob) => ({
    ...{ id: job.id, status: rundeckStatus[job.status], permalink: `${played.url}/execution/show/${job.id}` },
    argstring: Object.entries((JSON.parse(job.given) as { options: Record<string, string> }).options)
      .map(([name, value]) => `-${name} ${value}`)
      .join(' '),
  });
  if (request === 'POST /api/41/job/0f8b1c9e-patch/run') return ok(shown(played.start()));
  if (request.startsWith('GET /api/41/project/cloud/executions?')) {
    return ok({ executions: played.jobs.toReversed().map(shown) });
  }
  const abort = /^POST \/api\/41\/execution\/(\d+)\/abort$/.exec(request);
  if (abort) return cancelled(jobOf(played, abort));
  const job = jobOf(played, /^GET \/api\/41\/execution\/(\d+)$/.exec(request));
  return job && ok(shown(job));
};

const jenkinsResult = { running: null, done: 'SUCCESS', failed: 'FAILURE', cancelled: 'ABORTED' } as const;

const playJenkins: Play = (request, played) => {
  if (request === 'POST /job/patch/buildWithParameters') {
    return { status: 201, headers: { Location: `${played.url}/queue/item/${played.start().id}/` } };
  }
  const stop = /^POST \/job\/patch\/(\d+)\/stop$/.exec(request);
  if (stop) return cancelled(jobOf(played, stop));
  const queued = jobOf(played, /^GET \/queue\/item\/(\d+)\/api\/json$/.exec(request));
  if (queued)
    return ok({ cancelled: false, executable: { number: queued.id, url: `${played.url}/job/patch/${queued.id}/` } });
  const job = jobOf(played, /^GET \/job\/patch\/(\d+)\/api\/json$/.exec(request));
  return job && ok({ result: jenkinsResult[job.status], url: `${played.url}/job/patch/${job.id}/` });
};

const conclusion = { running: null, done: 'success', failed: 'failure', cancelled: 'cancelled' } as const;

const playGithub: Play = (request, played) => {
  const shown = (job: PlayedJob) => ({
    ...{
      id: job.id,
      status: job.status === 'running' ? 'in_progress' : 'completed',
      conclusion: conclusion[job.status],
    },
    ...{ display_title: `patch ${job.given}`, html_url: `${played.url}/runs/${job.id}` },
  });
  const workflow = '/repos/example/cloud/actions/workflows/patch.yml';
  if (request === `POST ${workflow}/dispatches`) {
    played.start();
    return { status: 204 };
  }
  if (request.startsWith(`GET ${workflow}/runs?`)) return ok({ workflow_runs: played.jobs.toReversed().map(shown) });
  const cancel = /^POST \/repos\/example\/cloud\/actions\/runs\/(\d+)\/cancel$/.exec(request);
  if (cancel) return cancelled(jobOf(played, cancel));
  const job = jobOf(played, /^GET \/repos\/example\/cloud\/actions\/runs\/(\d+)$/.exec(request));
  return job && ok(shown(job));
};

const plays = { awx: playAwx, rundeck: playRundeck, jenkins: playJenkins, 'github-actions': playGithub } as const;
export type JobSystem = keyof typeof plays;
export const jobSystems = Object.keys(plays) as readonly JobSystem[];

export const startJobServer = async (system: JobSystem): Promise<JobServer> => {
  const jobs: PlayedJob[] = [];
  const requests: PlayedRequest[] = [];
  const failing: { readonly method: string; readonly status: number }[] = [];
  let url = '';
  const answerTo = async (request: IncomingMessage): Promise<Answer> => {
    const [method, at] = [request.method ?? '', request.url ?? ''];
    requests.push({ method, path: at, headers: request.headers });
    const body = await text(request);
    const start = (): PlayedJob => {
      const job: PlayedJob = { id: jobs.length + 1, given: body, status: 'running' };
      jobs.push(job);
      return job;
    };
    const answer = plays[system](`${method} ${at}`, { url, jobs, body, start }) ?? { status: 404 };
    const failure = failing.findIndex((one) => one.method === method);
    return failure < 0 ? answer : { status: failing.splice(failure, 1)[0]?.status ?? 500 };
  };
  const server = createServer((request, response: ServerResponse) => {
    void answerTo(request).then(({ status, headers = {}, body }) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(body === undefined ? '' : JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{ url, jobs, requests },
    failNext: (method, status) => {
      failing.push({ method, status });
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
