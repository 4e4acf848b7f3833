import { type UseInfiniteQueryResult, useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode, useState } from "react";
import { chains, type Protocol, resolveChain } from "../generated/manifest";
import { formatAmount, formatDay, shorten } from "./amounts";
import { now } from "./clock";
import { bar, decimalsOf, flowProgress, lockupProgress, monthlyRate, type Progress } from "./progress";
import { type Action, type FlowStream, type LockupStream, streamActions } from "./queries";
import { Shape } from "./shape";

type Stream = LockupStream | FlowStream;

type TableProps<S extends Stream> = {
  readonly query: Pick<
    UseInfiniteQueryResult,
    "isPending" | "error" | "hasNextPage" | "isFetchingNextPage" | "fetchNextPage"
  >;
  readonly streams: readonly S[];
  /** Whether every chain has answered. */
  readonly isComplete: boolean;
  /** The error, if none has. */
  readonly failure: { readonly message: string } | null;
  readonly address: string;
};

export function LockupTable(props: TableProps<LockupStream>): ReactNode {
  return (
    <StreamTable
      {...props}
      protocol="lockup"
      title="Vesting"
      last="Ends"
      progressOf={lockupProgress}
      amountOf={(stream) => BigInt(stream.depositAmount)}
      lastOf={(stream) => formatDay(stream.endTime)}
      factsOf={(stream) => [
        ["Kind", stream.category.replace("Lockup", "")],
        ["Starts", formatDay(stream.startTime)],
        ...(stream.cliffTime === null ? [] : [["Cliff", formatDay(stream.cliffTime)] as const]),
        ["Cancelable", stream.cancelable ? "yes" : "no"],
        ["Not withdrawn yet", amount(stream, BigInt(stream.intactAmount))],
      ]}
      shapeOf={(stream) => <Shape stream={stream} now={now()} />}
    />
  );
}

export function FlowTable(props: TableProps<FlowStream>): ReactNode {
  return (
    <StreamTable
      {...props}
      protocol="flow"
      title="Payments"
      last="Per 30 days"
      progressOf={flowProgress}
      amountOf={(stream) => BigInt(stream.depositedAmount)}
      lastOf={(stream) => amount(stream, monthlyRate(stream))}
      factsOf={(stream) => [
        ["Balance", amount(stream, BigInt(stream.availableAmount))],
        ["Balance lasts until", formatDay(stream.depletionTime)],
        ["Refunded", amount(stream, BigInt(stream.refundedAmount))],
        ["Last adjusted", formatDay(stream.lastAdjustmentTimestamp)],
      ]}
    />
  );
}

type Kind<S extends Stream> = {
  readonly protocol: Protocol;
  readonly title: string;
  readonly last: string;
  readonly progressOf: (stream: S, now: number) => Progress;
  readonly amountOf: (stream: S) => bigint;
  readonly lastOf: (stream: S) => string;
  readonly factsOf: (stream: S) => readonly (readonly [label: string, value: string])[];
  /** How it unlocks, unless it is a single line. */
  readonly shapeOf?: (stream: S) => ReactNode;
};

function StreamTable<S extends Stream>(props: TableProps<S> & Kind<S>): ReactNode {
  const { query, streams, title, last } = props;
  const [open, setOpen] = useState<string | null>(null);
  const error = query.error ?? props.failure;
  const hasAnswer = !query.isPending && error === null;
  return (
    <section className="card" aria-label={title}>
      <header>
        <h2>
          {title}{" "}
          {hasAnswer && (
            <span className="soft">
              {query.hasNextPage && "newest "}
              {streams.length}
            </span>
          )}
        </h2>
        <span className="legend">
          <span>
            <i style={{ background: "var(--accent)" }} />
            withdrawn
          </span>
          <span>
            <i style={{ background: "var(--accent-soft)" }} />
            streamed
          </span>
        </span>
      </header>
      {query.isPending && <p className="message">Asking…</p>}
      {error && (
        <p className="message bad" role="alert">
          Nothing can be said about {title.toLowerCase()}: {error.message}
        </p>
      )}
      {hasAnswer && streams.length === 0 && (
        <p className="message">
          {props.isComplete
            ? "None with this address."
            : "None with this address on the chains that have answered."}
        </p>
      )}
      {streams.length > 0 && (
        <div className="scroll">
          <table>
            <thead>
              <tr>
                <th>Stream</th>
                <th>With</th>
                <th>Progress</th>
                <th className="number">Amount</th>
                <th className="number">{last}</th>
                <th>Status</th>
              </tr>
            </thead>
            <tbody>
              {streams.map((stream) => (
                <Row
                  key={stream.id}
                  {...props}
                  stream={stream}
                  isOpen={open === stream.id}
                  toggle={() => setOpen(open === stream.id ? null : stream.id)}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {query.hasNextPage && (
        <button
          type="button"
          className="more"
          disabled={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {query.isFetchingNextPage ? "Asking…" : "Show more"}
        </button>
      )}
    </section>
  );
}

function Row<S extends Stream>(
  props: TableProps<S> &
    Kind<S> & { readonly stream: S; readonly isOpen: boolean; readonly toggle: () => void },
): ReactNode {
  const { stream, isOpen, toggle, protocol, address } = props;
  const progress = props.progressOf(stream, now());
  const lengths = bar(progress);
  const isIncoming = stream.recipient === address;
  const percent = `${Math.floor(lengths.streamed * 100)} %`;
  return (
    <Fragment>
      <tr data-stream={stream.id} aria-expanded={isOpen} onClick={toggle}>
        <td>
          <button type="button" className="alias">
            {stream.alias}
          </button>
          <div className="soft small">{chains[resolveChain(stream.chainId)].name}</div>
        </td>
        <td>
          <span className="soft small">{isIncoming ? "from" : "to"}</span>
          <div className="mono">{shorten(isIncoming ? stream.sender : stream.recipient)}</div>
        </td>
        <td>
          {props.shapeOf?.(stream)}
          <div className="soft small">{percent}</div>
          <div className="bar" role="img" aria-label={`${percent} streamed`}>
            <i className="streamed" style={{ width: `${lengths.streamed * 100}%` }} />
            <i className="withdrawn" style={{ width: `${lengths.withdrawn * 100}%` }} />
          </div>
        </td>
        <td className="number">{amount(stream, props.amountOf(stream))}</td>
        <td className="number">{props.lastOf(stream)}</td>
        <td>
          <span className={badge(progress.status)}>{progress.status}</span>
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={6} style={{ padding: 0 }}>
            <div className="details">
              <dl className="facts">
                {[
                  ...props.factsOf(stream),
                  ["Streamed", amount(stream, progress.streamed)] as const,
                  ["Withdrawn", amount(stream, progress.withdrawn)] as const,
                ].map(([label, value]) => (
                  <div key={label}>
                    <dt>{label}</dt>
                    <dd>{value}</dd>
                  </div>
                ))}
              </dl>
              <Actions protocol={protocol} stream={stream} />
            </div>
          </td>
        </tr>
      )}
    </Fragment>
  );
}

function Actions({ protocol, stream }: { protocol: Protocol; stream: Stream }): ReactNode {
  const { data, error } = useQuery(streamActions(protocol, stream.chainId, stream.id));
  if (error) return <p className="message bad">{error.message}</p>;
  if (!data) return <p className="message">Asking…</p>;
  const explorer = chains[resolveChain(stream.chainId)].blockExplorer;
  return (
    <>
      <h3>What happened</h3>
      <ol className="actions">
        {data.map((action: Action) => (
          <li key={action.id}>
            <strong>{action.category.replace(/(?<=[a-z])(?=[A-Z])/g, " ")}</strong>
            {action.amountA !== null &&
              action.amountA !== "0" &&
              ` ${amount(stream, BigInt(action.amountA))}`}
            {action.amountA === null &&
              action.amountB !== null &&
              ` ${amount(stream, BigInt(action.amountB))}`}{" "}
            <span className="soft small">
              {formatDay(action.timestamp)} by <span className="mono">{shorten(action.from)}</span> ·{" "}
              <a href={`${explorer}/tx/${action.hash}`} target="_blank" rel="noreferrer">
                transaction
              </a>
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

function amount(stream: Stream, value: bigint): string {
  return `${formatAmount(value, decimalsOf(stream))} ${stream.asset?.symbol ?? "tokens"}`;
}

function badge(status: Progress["status"]): string {
  if (status === "Streaming") return "badge on";
  return status === "Insolvent" || status === "Voided" ? "badge bad" : "badge";
}
