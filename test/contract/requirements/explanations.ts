/** AI explanations. */
export const explanationRequirements = {
  'ai.request': 'POST /ai-summary returns 202 { status: pending, error_group_id, requested_at }',
  'ai.no_body': 'the request accepts no body or {}, with or without a type',
  'ai.unit': 'the request takes one unit of the AI quota',
  'ai.quota': 'an exhausted quota returns 429 ai_quota_exhausted, and nothing is generated',
  'ai.quota.exact': 'with quota Q exactly Q of many concurrent requests generate',
  'ai.pending': 'while one is pending another request returns 409 generation_in_progress and takes no unit',
  'ai.conflict_first': '409 comes before 429',
  'ai.failed.unit': 'a failed generation gives its unit back to its month',
  'ai.attempts': 'the server makes at most two attempts with a provider',
  'ai.restart': 'a pending generation survives a restart and ends in one summary and one unit',
  'ai.again': 'during regeneration the response keeps the last ready summary, model and generated_at',
  'ai.get':
    'GET returns { status, error_group_id, summary, model, requested_at, generated_at, error } and takes no unit',
  'ai.get.never': 'GET returns 404 summary_not_found if no explanation was requested',
  'ai.group': 'ai_summary of a group is the status of its explanation, or null if none was requested',
  'ai.sections': 'the summary contains what happened, likely cause, where to look, suggested fix',
  'ai.built_in':
    'without a provider the built-in explainer generates the summary from the report and is named in model',
  'ai.provider': 'the server calls /chat/completions below the base URL, with the configured key and model',
  'ai.provider.redirect': 'a redirect from a provider is not followed',
  'ai.prompt.fenced': 'report text cannot leave its fence',
  'ai.prompt.bounded': 'report text is at most 32 KiB, the whole prompt at most 36',
  'ai.prompt.scrubbed': 'neither secrets of a report nor user.id reach a provider',
  'ai.receipt': 'receipt=true adds exactly what went to the provider',
  'ai.deleted': 'deleting a group during its generation drops the explanation and returns the unit',
} as const;
