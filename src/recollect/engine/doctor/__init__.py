"""Examines a memory: does it do what its traits say, and does it leave everything else alone?"""
