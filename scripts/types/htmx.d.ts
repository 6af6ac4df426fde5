// htmx as the pages load it, and the events of its extension hx-ws, which has no types of its own.

import type { Htmx } from "htmx.org";

declare global {
  const htmx: Htmx;

  type Values = Record<string, unknown>;

  interface SocketConnection {
    url: string;
    socket: WebSocket | null;
    attempt: number;
    timer: number;
  }

  interface SocketMessage {
    connection: SocketConnection;
    message: { values: Values };
  }

  interface SocketFrame {
    connection: SocketConnection;
    message: { data: string };
  }

  interface SocketClose {
    connection: SocketConnection;
    reason: "closed" | "removed" | "cancelled";
    code: number | null;
  }

  interface SocketEvents {
    "htmx:ws:before:connection": CustomEvent<{ connection: SocketConnection }>;
    "htmx:ws:after:connection": CustomEvent<{ connection: SocketConnection }>;
    "htmx:ws:before:message:incoming": CustomEvent<SocketFrame>;
    "htmx:ws:before:message:outgoing": CustomEvent<SocketMessage>;
    "htmx:ws:after:message:outgoing": CustomEvent<SocketMessage>;
    "htmx:ws:close": CustomEvent<SocketClose>;
  }

  interface HTMLElementEventMap extends SocketEvents {}
  interface DocumentEventMap extends SocketEvents {}
}
