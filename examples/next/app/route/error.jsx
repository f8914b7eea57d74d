'use client';

import { useErrorReport } from '@service/browser/react';

export default function ErrorPage({ error }) {
  useErrorReport(error);
  return <p>Sorry</p>;
}
