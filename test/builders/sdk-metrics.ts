/** The metrics of Temporal's SDK that the dashboard and the alerts use, with the labels that they use of them. */
export const sdkMetrics: Readonly<Record<string, { readonly labels: readonly string[]; readonly isAlways: boolean }>> =
  {
    temporal_num_pollers: { labels: ['poller_type'], isAlways: true },
    temporal_worker_task_slots_available: { labels: ['worker_type'], isAlways: true },
    temporal_workflow_task_schedule_to_start_latency_seconds: { labels: [], isAlways: true },
    // Exported once it has happened.
    temporal_workflow_task_execution_failed_total: { labels: ['failure_reason'], isAlways: false },
  };
