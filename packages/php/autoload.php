<?php

declare(strict_types=1);

// For shops without Composer.
spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'Tributary\\')) {
        $file = __DIR__ . '/src/' . substr($class, strlen('Tributary\\')) . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});
