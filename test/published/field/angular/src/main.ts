import './start.ts';
import '@angular/compiler';
import {
  Component,
  ErrorHandler,
  provideZoneChangeDetection,
  provideZonelessChangeDetection,
  signal,
} from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { captureException } from '@service/browser';
import { angularErrorHandler } from '@service/browser/angular';

@Component({
  selector: 'field-app',
  template: `
    <button id="throw" (click)="fail()">throw</button>
    <button id="reject" (click)="reject()">reject</button>
    <button id="capture" (click)="capture()">capture</button>
    <button id="timer" (click)="failLater()">timer</button>
    <button id="render" (click)="isBroken.set(true)">render</button>
    <p>{{ total() }}</p>
  `,
})
class App {
  readonly isBroken = signal(false);

  total(): number {
    if (this.isBroken()) throw new Error('render fault');
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

// `zoneless.html` has loaded no zone.js.
const changeDetection = 'Zone' in globalThis ? provideZoneChangeDetection() : provideZonelessChangeDetection();

void bootstrapApplication(App, {
  providers: [changeDetection, { provide: ErrorHandler, useValue: angularErrorHandler }],
});
