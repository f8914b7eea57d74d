// Imported first, so that errors of the other modules are reported, too.
import './start-sdk';
import { ErrorHandler } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { angularErrorHandler } from '@service/browser/angular';
import { Shop } from './shop';

void bootstrapApplication(Shop, { providers: [{ provide: ErrorHandler, useValue: angularErrorHandler }] });
