import { Counter, Gauge, type Registry } from 'prom-client';
import type { GatewayConfig } from '../config/gateway-config.ts';
import type { TargetWatch } from '../routing/target-watch.ts';
import type { CallWatch } from './call-watch.ts';

/** The gateway's own numbers for Prometheus. */
export class GatewayMetrics {
  readonly redactions: Counter;
  readonly repairs: Counter;
  readonly blocked: Counter<'path'>;
  readonly limited: Counter;

  constructor(
    registry: Registry,
    { calls, targets }: { calls: CallWatch; targets: TargetWatch },
    config: () => GatewayConfig,
  ) {
    const registers = [registry];
    new Gauge({
      name: 'dragoman_gateway_target_resting',
      help: 'Targets skipped after a failure, and providers that cannot be reached.',
      labelNames: ['target', 'code'],
      registers,
      collect() {
        this.reset();
        for (const { name, code } of targets.rests.list(config().providers)) this.set({ target: name, code }, 1);
      },
    });
    this.redactions = new Counter({
      name: 'dragoman_gateway_redactions_total',
      help: 'Secrets removed from prompts.',
      registers,
      // Agents ask without passing the door; all calls meet where they are noted.
      collect() {
        this.reset();
        this.inc(calls.redactions);
      },
    });
    this.repairs = new Counter({
      name: 'dragoman_gateway_repairs_total',
      help: 'Tool calls whose arguments were repaired.',
      registers,
    });
    this.blocked = new Counter({
      name: 'dragoman_gateway_blocked_total',
      help: 'Telemetry requests answered here.',
      labelNames: ['path'],
      registers,
    });
    this.limited = new Counter({
      name: 'dragoman_gateway_limited_total',
      help: 'Model calls refused because of a limit.',
      registers,
    });
  }
}
