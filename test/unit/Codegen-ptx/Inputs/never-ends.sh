#!/bin/sh
# Stands for a ptxas that hangs.
exec sleep 60
