import { Component, signal } from '@angular/core';
import { captureException } from '@service/browser';

@Component({
  selector: 'app-shop',
  template: `
    <button id="throw" (click)="fail()">Fail in an event handler</button>
    <button id="reject" (click)="reject()">Reject a promise</button>
    <button id="capture" (click)="capture()">Catch and report</button>
    <button id="timer" (click)="failLater()">Fail in a timer</button>
    <button id="render" (click)="isBroken.set(true)">Fail in rendering</button>
    <p>{{ total() }}</p>
  `,
})
export class Shop {
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
