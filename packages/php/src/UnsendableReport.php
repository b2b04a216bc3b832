<?php

declare(strict_types=1);

namespace Tributary;

/** A report that cannot be sent, with the invalid field. The client turns it into a result with the outcome `not_sent`. */
final class UnsendableReport extends \InvalidArgumentException
{
    public function __construct(
        public readonly string $reason,
        public readonly string $field,
        string $message,
    ) {
        parent::__construct($message);
    }
}
