import './start.ts';
import 'zone.js';
import '@angular/compiler';
import { Component, ErrorHandler, provideZoneChangeDetection } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { captureException } from '@service/browser';

/** Angular catches the errors of the application and passes them to this class. */
class ReportingErrorHandler extends ErrorHandler {
  override handleError(error: unknown): void {
    captureException(error);
    super.handleError(error);
  }
}

@Component({
  selector: 'field-app',
  template: `
    <button id="throw" (click)="fail()">throw</button>
    <button id="reject" (click)="reject()">reject</button>
    <button id="capture" (click)="capture()">capture</button>
    <button id="timer" (click)="failLater()">timer</button>
    <button id="render" (click)="isBroken = true">render</button>
    <p>{{ total() }}</p>
  `,
})
class App {
  isBroken = false;

  total(): number {
    if (this.isBroken) throw new Error('render fault');
    return 3;
  }

  fail(): void {
    throw new Error('throw fault');
  }

  reject(): void {
    void Promise.reject(new Error('reject fault'));
  }

  capture(): void {
    captureException(new Error('capture fault'));
  }

  failLater(): void {
    setTimeout(() => {
      throw new Error('timer fault');
    });
  }
}

void bootstrapApplication(App, {
  providers: [provideZoneChangeDetection(), { provide: ErrorHandler, useClass: ReportingErrorHandler }],
});
