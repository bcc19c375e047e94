/** The endpoints of terms: an addition to the interface. */
import { ProjectTermsSchema } from '../../forms/terms-schema';
import { TermsPreviewSchema } from '../schemas/terms-schemas';
import { body, type Operation } from './documented-endpoint';

const ofTerms = { path: '/v1/projects/{project_id}/terms', tag: 'Projects', access: 'project' } as const;

export const termsOperations: readonly Operation[] = [
  {
    ...ofTerms,
    method: 'get',
    id: 'getTerms',
    summary: 'Get the terms of a project: what it says once, in place of replies. An addition',
    response: body('Terms', ProjectTermsSchema),
    errors: [400, 404, 500],
  },
  {
    ...ofTerms,
    path: `${ofTerms.path}/told`,
    method: 'get',
    id: 'getToldTerms',
    summary: 'Get the terms that a project tells the cloud of itself, which count before its stored ones. An addition',
    response: body('Terms', ProjectTermsSchema),
    errors: [400, 404, 500, 503],
  },
  {
    ...ofTerms,
    method: 'put',
    id: 'setTerms',
    summary: 'Set or replace the terms of a project. They count for questions that are asked from then on. An addition',
    request: body('Terms', ProjectTermsSchema),
    errors: [400, 422, 500],
  },
  {
    ...ofTerms,
    path: `${ofTerms.path}/preview`,
    method: 'post',
    id: 'previewTerms',
    summary:
      'Get the expected ends of the sessions of a project, with the terms that count now and with those of the request. ' +
      'Nothing is stored. An addition',
    request: body('Terms', ProjectTermsSchema),
    response: body('TermsPreview', TermsPreviewSchema),
    errors: [400, 422, 500, 503],
  },
  {
    ...ofTerms,
    method: 'delete',
    id: 'deleteTerms',
    summary: 'Delete the terms of a project; succeeds when none are stored. An addition',
    errors: [400, 500],
  },
];
