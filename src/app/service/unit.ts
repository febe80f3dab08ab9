import { basename, isAbsolute, join } from 'node:path';
import { digestText } from '../../lib/digest.ts';
import { slug } from '../../lib/ids.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { refusal, type Refusal } from '../refusal.ts';
import type { Environment } from '../opened-project.ts';

/** What is known about the machine, given by the caller. */
export interface ServicePlace {
  readonly root: string;
  readonly env: Environment;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** Whether systemd runs this machine. */
  readonly systemd: boolean;
  readonly node: string;
  readonly program: string;
}

/** A file that makes the machine start the conductor at login, and the link that switches it on. */
export interface ServiceUnit {
  readonly manager: 'systemd' | 'launchd';
  readonly path: string;
  readonly content: string;
  readonly link: string | null;
  /** How to have it now already. */
  readonly startNow: string;
}

export function serviceUnit(place: ServicePlace): Result<ServiceUnit, Refusal> {
  const name = `tutti-${slug(basename(place.root))}-${digestText(place.root).slice(0, 8)}`;
  if (place.platform === 'darwin') return ok(launchAgent(place, `local.${name}`));
  if (place.platform === 'linux' && place.systemd) return ok(systemdUnit(place, `${name}.service`));
  const message = 'there is no systemd on this machine to start the conductor at login';
  return err(refusal('UNAVAILABLE', message, 'after a reboot, continue by hand: tutti resume'));
}

function systemdUnit(place: ServicePlace, name: string): ServiceUnit {
  const { env, home, root } = place;
  const xdg = env['XDG_CONFIG_HOME'] ?? '';
  const folder = join(isAbsolute(xdg) ? xdg : join(home, '.config'), 'systemd', 'user');
  const lines = [
    '[Unit]',
    `Description=Tutti conductor of ${root.replaceAll('%', '%%').replaceAll('\n', ' ')}`,
    '',
    '[Service]',
    `WorkingDirectory=${root.replaceAll('%', '%%')}`,
    `ExecStart=${[place.node, place.program, 'conductor'].map(quoted).join(' ')}`,
    // Agents are found on PATH, and a login through systemd has a shorter one than a shell.
    `Environment=${quoted(`PATH=${env['PATH'] ?? '/usr/bin:/bin'}`)}`,
    // Sessions outlive the conductor; only it is to be ended with the unit.
    'KillMode=process',
    'Restart=on-failure',
    'RestartSec=30',
    '',
    '[Install]',
    'WantedBy=default.target',
    '',
  ];
  return {
    manager: 'systemd',
    path: join(folder, name),
    content: lines.join('\n'),
    link: join(folder, 'default.target.wants', name),
    startNow: `systemctl --user daemon-reload && systemctl --user start ${name}`,
  };
}

/** In a unit file `%` begins a specifier and `$` a variable, also inside quotes. */
function quoted(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
  return `"${escaped.replaceAll('%', '%%').replaceAll('$', '$$$$')}"`;
}

function launchAgent(place: ServicePlace, label: string): ServiceUnit {
  const path = join(place.home, 'Library', 'LaunchAgents', `${label}.plist`);
  const argv = [place.node, place.program, 'conductor'];
  const content = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0"><dict>',
    `  <key>Label</key><string>${xml(label)}</string>`,
    `  <key>ProgramArguments</key><array>${argv.map((arg) => `<string>${xml(arg)}</string>`).join('')}</array>`,
    `  <key>WorkingDirectory</key><string>${xml(place.root)}</string>`,
    `  <key>EnvironmentVariables</key><dict><key>PATH</key><string>${xml(place.env['PATH'] ?? '')}</string></dict>`,
    '  <key>RunAtLoad</key><true/>',
    '  <key>AbandonProcessGroup</key><true/>',
    '</dict></plist>',
    '',
  ].join('\n');
  return { manager: 'launchd', path, content, link: null, startNow: `launchctl load -w ${path}` };
}

function xml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
